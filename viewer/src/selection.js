import { fieldUnit, formatNumber, withUnit } from './fields.js';

const maxContacts = 200; // in the list

function row(...contents) {
  const line = document.createElement('tr');
  for (const content of contents) {
    const cell = document.createElement('td');
    cell.append(...[content].flat());
    line.append(cell);
  }
  return line;
}

const spaced = (name) => name.replaceAll('_', ' ');

/** The text of a value with its unit, in pieces between which a line may end. */
function valuePieces(value, unit) {
  const numbers = Array.isArray(value) ? value.map((number) => formatNumber(number)) : [formatNumber(value, 6)];
  return numbers.flatMap((number, k) => {
    const piece = document.createElement('span');
    piece.className = 'number';
    const isLast = k === numbers.length - 1;
    piece.textContent = isLast ? withUnit(number, unit) : `${number},`;
    return isLast ? [piece] : [piece, ' '];
  });
}

/** Names and values of all properties of particle `i`, as in the file. */
export function particleProperties(frame, i) {
  const properties = [
    ['id', frame.id[i]],
    ['position', [...frame.position.subarray(3 * i, 3 * i + frame.dimension)]],
    ['radius', frame.radius[i]],
  ];
  for (const [name, { values, components }] of frame.fields)
    properties.push([
      name,
      components === 1 ? values[i] : [...values.subarray(components * i, components * (i + 1))],
    ]);
  return properties;
}

// Fields of contacts that the list shows in another way: as `force`, and as the name of the wall.
const namedOtherwise = new Set(['force_magnitude', 'is_wall']);

/**
 * Contacts of the particle or block with this id: the id of the other particle, or −1 − the index
 * of a wall, and the scalar fields of the contact.
 */
export function contactsOf(contacts, id) {
  const found = [];
  for (let k = 0; k < contacts.a.length; ++k) {
    if (contacts.a[k] !== id && contacts.b[k] !== id) continue;
    const other = contacts.a[k] === id ? contacts.b[k] : contacts.a[k];
    const values = new Map();
    for (const [name, field] of contacts.fields)
      if (field.components === 1 && !namedOtherwise.has(name)) values.set(name, field.values[k]);
      else if (name === 'force')
        values.set(name, Math.hypot(...field.values.subarray(3 * k, 3 * k + 3)));
    found.push({ other, values });
  }
  return found;
}

function contactTable(contacts, select) {
  const names = contacts.length > 0 ? [...contacts[0].values.keys()].slice(0, 3) : [];
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const name of ['contact with', ...names]) {
    const cell = document.createElement('th');
    const unit = fieldUnit(name);
    cell.textContent = unit ? `${spaced(name)} (${unit})` : spaced(name);
    head.append(cell);
  }
  const body = table.createTBody();
  for (const { other, values } of contacts.slice(0, maxContacts)) {
    let label = `wall ${-1 - other}`;
    if (other >= 0) {
      label = document.createElement('button');
      label.type = 'button';
      label.textContent = other;
      label.addEventListener('click', () => select(other));
    }
    body.append(row(label, ...names.map((name) => formatNumber(values.get(name)))));
  }
  return table;
}

/**
 * Lists the properties of the selected particle and its contacts. `contacts` is a promise of the
 * list, or null if the dataset has none; `select(id)` is called when a contact is clicked.
 */
export async function updateSelection(box, { properties, contacts, select }) {
  const table = document.createElement('table');
  for (const [name, value] of properties) table.append(row(spaced(name), valuePieces(value, fieldUnit(name))));
  const list = document.createElement('div');
  list.className = 'contacts';
  box.replaceChildren(table, list);
  if (!contacts) return;
  try {
    const found = await contacts;
    const hint = document.createElement('p');
    hint.className = 'hint';
    hint.textContent = found.length === 0 ? 'no contacts' : '';
    list.replaceChildren(found.length > 0 ? contactTable(found, select) : hint);
    if (found.length > maxContacts) list.append(`and ${found.length - maxContacts} more`);
  } catch (error) {
    list.textContent = error.message;
  }
}

export function clearSelection(box, text) {
  const hint = document.createElement('p');
  hint.className = 'hint';
  hint.textContent = text;
  box.replaceChildren(hint);
}

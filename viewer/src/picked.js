import { unitOf, written } from './fields.js';

const most = 200; // contacts in the list

function row(...texts) {
  const line = document.createElement('tr');
  for (const text of texts) {
    const cell = document.createElement('td');
    cell.append(text);
    line.append(cell);
  }
  return line;
}

const vector = (values) => values.map((value) => written(value)).join(', ');

/** Numbers of a particle: what the file says, as it says it. */
export function particleFacts(frame, i) {
  const facts = [
    ['id', frame.id[i]],
    ['place', [...frame.place.subarray(3 * i, 3 * i + frame.dimension)]],
    ['radius', frame.radius[i]],
  ];
  for (const [name, { values, components }] of frame.fields)
    facts.push([
      name,
      components === 1 ? values[i] : [...values.subarray(components * i, components * (i + 1))],
    ]);
  return facts;
}

/** Contacts of the particle or block with this id: who is on the other side, and fields. */
export function contactsOf(contacts, id) {
  const found = [];
  for (let k = 0; k < contacts.a.length; ++k) {
    if (contacts.a[k] !== id && contacts.b[k] !== id) continue;
    const other = contacts.a[k] === id ? contacts.b[k] : contacts.a[k];
    const values = new Map();
    for (const [name, field] of contacts.fields)
      if (field.components === 1 && name !== 'size') values.set(name, field.values[k]);
      else if (name === 'force')
        values.set(name, Math.hypot(...field.values.subarray(3 * k, 3 * k + 3)));
    found.push({ other, values });
  }
  return found;
}

function contactTable(found, choose) {
  const names = found.length > 0 ? [...found[0].values.keys()].slice(0, 3) : [];
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const name of ['touches', ...names]) {
    const cell = document.createElement('th');
    cell.textContent = name;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const { other, values } of found.slice(0, most)) {
    let name = `wall ${-1 - other}`;
    if (other >= 0) {
      name = document.createElement('button');
      name.type = 'button';
      name.textContent = other;
      name.addEventListener('click', () => choose(other));
    }
    body.append(row(name, ...names.map((one) => written(values.get(one)))));
  }
  return table;
}

/** `facts`: names and numbers; `contacts`: a promise of the list, or null if the file has none. */
export async function showPicked(box, { facts, frame, contacts, choose }) {
  const table = document.createElement('table');
  for (const [name, value] of facts) {
    const unit = unitOf(name === 'place' ? 'x' : name, frame);
    const text = Array.isArray(value) ? vector(value) : written(value, 6);
    table.append(row(name, unit ? `${text} ${unit}` : text));
  }
  const list = document.createElement('div');
  list.className = 'contacts';
  box.replaceChildren(table, list);
  if (!contacts) return;
  try {
    const found = await contacts;
    const hint = document.createElement('p');
    hint.className = 'hint';
    hint.textContent = found.length === 0 ? 'touches nothing' : '';
    list.replaceChildren(found.length > 0 ? contactTable(found, choose) : hint);
    if (found.length > most) list.append(`and ${found.length - most} more`);
  } catch (problem) {
    list.textContent = problem.message;
  }
}

export function showNothingPicked(box, text) {
  const hint = document.createElement('p');
  hint.className = 'hint';
  hint.textContent = text;
  box.replaceChildren(hint);
}

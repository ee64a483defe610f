// Requests to `abut view`. Responses are JSON, or binary arrays after a JSON header; the format is
// described in src/serve/binary_message.hpp.

/** An error reported by the server, with its message. */
export class ServerError extends Error {}

const arrayTypes = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  uint32: Uint32Array,
};

/** The header and the arrays by name; arrays are views of the buffer, not copies. */
export function decode(buffer) {
  const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, 4));
  if (magic !== 'ABUT') throw new ServerError('incomplete response from the server');
  const length = new DataView(buffer).getUint32(4, true);
  const { arrays, ...header } = JSON.parse(
    new TextDecoder().decode(new Uint8Array(buffer, 8, length)),
  );
  const byName = new Map();
  for (const { name, type, count, components, begin } of arrays)
    byName.set(name, {
      components,
      count,
      values: new arrayTypes[type](buffer, 8 + length + begin, count * components),
    });
  return { header, arrays: byName, bytes: buffer.byteLength };
}

async function request(path) {
  let response;
  try {
    response = await fetch(`/api/${path}`, { cache: 'no-store' });
  } catch {
    throw new ServerError('the server does not respond; start abut view again');
  }
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) return response;
  const json = await response.json();
  if (json.error && !path.startsWith('run')) throw new ServerError(json.error);
  return json;
}

const requestArrays = async (path) => decode(await (await request(path)).arrayBuffer());

function fieldsOf(arrays) {
  const fields = new Map();
  for (const [name, field] of arrays)
    if (name.startsWith('field.')) fields.set(name.slice('field.'.length), field);
  return fields;
}

/** Title, units, number of frames, and times of the frames from index `from` on; or `error`. */
export const fetchRun = (from) => request(`run?from=${from}`);

export const fetchProbes = async () => (await request('probes')).text();

export async function fetchContacts(index) {
  const { arrays } = await requestArrays(`contacts/${index}`);
  const values = (name) => arrays.get(name).values;
  return {
    ends: values('contacts.ends'),
    a: values('contacts.a'),
    b: values('contacts.b'),
    fields: fieldsOf(arrays),
  };
}

export async function fetchFrame(index) {
  const { header, arrays, bytes } = await requestArrays(`frame/${index}`);
  const values = (name) => arrays.get(name).values;
  return {
    index,
    bytes,
    time: header.time,
    dimension: header.dimension,
    contactCount: header.contact_count,
    position: values('particles.position'),
    radius: values('particles.radius'),
    id: values('particles.id'),
    fields: fieldsOf(arrays),
    walls: {
      vertices: values('walls.vertices'),
      triangles: values('walls.triangles'),
      segments: values('walls.segments'),
    },
    blocks: {
      vertices: values('blocks.vertices'),
      outlines: values('blocks.outline_offsets'),
      triangles: values('blocks.triangles'),
      id: values('blocks.id'),
    },
  };
}

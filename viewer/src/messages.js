// Messages of the program: JSON, or arrays after a JSON header (src/serve/message_bytes.hpp).

/** What the program could not do, in its own words. */
export class Problem extends Error {}

const kinds = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  uint32: Uint32Array,
};

/** Arrays by name, on the bytes as they came. */
export function decode(buffer) {
  const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, 4));
  if (magic !== 'ABUT') throw new Problem('the answer of the program was cut short');
  const length = new DataView(buffer).getUint32(4, true);
  const { arrays, ...header } = JSON.parse(
    new TextDecoder().decode(new Uint8Array(buffer, 8, length)),
  );
  const all = new Map();
  for (const { name, type, count, components, begin } of arrays)
    all.set(name, {
      components,
      count,
      values: new kinds[type](buffer, 8 + length + begin, count * components),
    });
  return { header, arrays: all, bytes: buffer.byteLength };
}

async function ask(what) {
  let answer;
  try {
    answer = await fetch(`/api/${what}`, { cache: 'no-store' });
  } catch {
    throw new Problem('the program does not answer any more; start abut view again');
  }
  const type = answer.headers.get('content-type') ?? '';
  if (!type.includes('json')) return answer;
  const told = await answer.json();
  if (told.problem && !what.startsWith('run')) throw new Problem(told.problem);
  return told;
}

/** Title, number of frames, times from this frame on; or `problem`. */
export const fetchRun = (from) => ask(`run?from=${from}`);

export const fetchProbes = async () => (await ask('probes')).text();

export const fetchContacts = async (number) =>
  decode(await (await ask(`contacts/${number}`)).arrayBuffer()).arrays;

export async function fetchFrame(number) {
  const { header, arrays, bytes } = decode(await (await ask(`frame/${number}`)).arrayBuffer());
  const fields = new Map();
  for (const [name, field] of arrays)
    if (name.startsWith('field.')) fields.set(name.slice('field.'.length), field);
  const values = (name) => arrays.get(name).values;
  return {
    number,
    bytes,
    time: header.time,
    dimension: header.dimension,
    contactCount: header.contacts,
    place: values('particles.place'),
    radius: values('particles.radius'),
    id: values('particles.id'),
    fields,
    walls: {
      corners: values('walls.corners'),
      triangles: values('walls.triangles'),
      segments: values('walls.segments'),
    },
    blocks: {
      corners: values('blocks.corners'),
      outlines: values('blocks.outlines'),
      triangles: values('blocks.triangles'),
      id: values('blocks.id'),
    },
  };
}

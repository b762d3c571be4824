// Attention as ONNX graphs, for the peers of `npm run bench`: the protocol buffers are written here, so that no package has to.

type Bytes = number[];

const utf8 = new TextEncoder();

function varint(value: number): Bytes {
  const out: Bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest ? low | 128 : low);
  } while (rest);
  return out;
}

const key = (field: number, wire: number): Bytes => varint((field << 3) | wire);
const whole = (field: number, value: number): Bytes => [...key(field, 0), ...varint(value)];
const block = (field: number, bytes: Iterable<number>): Bytes => {
  const all = [...bytes];
  return [...key(field, 2), ...varint(all.length), ...all];
};
const text = (field: number, value: string): Bytes => block(field, utf8.encode(value));

/** AttributeProto: an integer or a list of them. */
const attribute = (name: string, value: number | number[]): Bytes =>
  block(5, [
    ...text(1, name),
    ...(typeof value === 'number' ? whole(3, value) : value.flatMap((x) => whole(8, x))),
    ...whole(20, typeof value === 'number' ? 2 : 7),
  ]);

const node = (op: string, inputs: string[], outputs: string[], attributes: Bytes[] = [], domain = ''): Bytes =>
  block(1, [
    ...inputs.flatMap((name) => text(1, name)),
    ...outputs.flatMap((name) => text(2, name)),
    ...text(4, op),
    ...attributes.flat(),
    ...(domain ? text(7, domain) : []),
  ]);

/** ValueInfoProto of floats; a dimension is a number or a name. */
const value = (field: number, name: string, dims: (number | string)[]): Bytes =>
  block(field, [
    ...text(1, name),
    ...block(2, block(1, [...whole(1, 1), ...block(2, dims.flatMap((d) => block(1, typeof d === 'number' ? whole(1, d) : text(2, d))))])),
  ]);

const scalar = (name: string, x: number): Bytes =>
  block(5, [...whole(2, 1), ...text(8, name), ...block(9, new Uint8Array(Float32Array.of(x).buffer))]);

const model = (graph: Bytes, opset: number, contributed = false): Uint8Array =>
  Uint8Array.from([
    ...whole(1, opset >= 23 ? 11 : 9),
    ...text(2, 'bench'),
    ...block(7, graph),
    ...block(8, [...text(1, ''), ...whole(2, opset)]),
    ...(contributed ? block(8, [...text(1, 'com.microsoft'), ...whole(2, 1)]) : []),
  ]);

const inputs = (dims: (number | string)[]): Bytes => ['q', 'k', 'v'].flatMap((name) => value(11, name, dims));

export const GRAPHS = ['unfused', 'mha', 'attention23'] as const;
export type Graph = (typeof GRAPHS)[number];

/** q, k, v [1, heads, n, d], for `mha` [1, n, heads·d]; `unfused` takes a mask [n, n] when causal. */
export function graph(kind: Graph, heads: number, d: number, causal: boolean): Uint8Array {
  const apart = [1, heads, 'n', d];
  if (kind === 'mha') {
    const joined = [1, 'n', heads * d];
    const attributes = [attribute('num_heads', heads), ...(causal ? [attribute('unidirectional', 1)] : [])];
    return model([...node('MultiHeadAttention', ['q', 'k', 'v'], ['o'], attributes, 'com.microsoft'), ...text(2, 'g'), ...inputs(joined), ...value(12, 'o', joined)], 17, true);
  }
  if (kind === 'attention23')
    return model([...node('Attention', ['q', 'k', 'v'], ['o'], causal ? [attribute('is_causal', 1)] : []), ...text(2, 'g'), ...inputs(apart), ...value(12, 'o', apart)], 23);
  const last = causal ? 'masked' : 'scaled';
  return model(
    [
      ...node('Transpose', ['k'], ['kt'], [attribute('perm', [0, 1, 3, 2])]),
      ...node('MatMul', ['q', 'kt'], ['raw']),
      ...node('Mul', ['raw', 'scale'], ['scaled']),
      ...(causal ? node('Add', ['scaled', 'mask'], ['masked']) : []),
      ...node('Softmax', [last], ['p'], [attribute('axis', -1)]),
      ...node('MatMul', ['p', 'v'], ['o']),
      ...text(2, 'g'),
      ...scalar('scale', 1 / Math.sqrt(d)),
      ...inputs(apart),
      ...(causal ? value(11, 'mask', ['n', 'n']) : []),
      ...value(12, 'o', apart),
    ],
    17,
  );
}

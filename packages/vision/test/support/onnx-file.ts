/** Writes small ONNX models: protobuf written by hand from onnx.proto3, IR version 8. */

type Dim = number | string

interface Value {
  readonly name: string
  readonly dims: readonly Dim[]
}

interface Tensor extends Value {
  readonly data: Float32Array | BigInt64Array
}

const FLOAT = 1
const INT64 = 7
const BOOL = 9

function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0))
    rest >>= 7n
  } while (rest > 0n)
  return Buffer.from(bytes)
}

const number = (field: number, value: number | bigint): Buffer => Buffer.concat([varint(field << 3), varint(value)])

function bytes(field: number, content: string | Buffer): Buffer {
  const buffer = Buffer.from(content)
  return Buffer.concat([varint((field << 3) | 2), varint(buffer.length), buffer])
}

const message = (field: number, ...parts: readonly Buffer[]): Buffer => bytes(field, Buffer.concat(parts))

/** TensorProto: dims, data_type, name, raw_data. */
const tensor = ({ name, dims, data }: Tensor): Buffer =>
  Buffer.concat([
    ...dims.map((dim) => number(1, Number(dim))),
    number(2, data instanceof Float32Array ? FLOAT : INT64),
    bytes(8, name),
    bytes(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  ])

/** ValueInfoProto of a tensor; a string is a dimension that the model leaves open. */
const value = ({ name, dims }: Value, type = FLOAT): Buffer =>
  Buffer.concat([
    bytes(1, name),
    message(
      2,
      message(
        1,
        number(1, type),
        message(2, ...dims.map((dim) => message(1, typeof dim === 'string' ? bytes(2, dim) : number(1, dim)))),
      ),
    ),
  ])

/** AttributeProto: a list of numbers, a string, or a graph. */
const ints = (name: string, values: readonly number[]): Buffer =>
  Buffer.concat([bytes(1, name), ...values.map((one) => number(8, one)), number(20, 7)])
const text = (name: string, content: string): Buffer => Buffer.concat([bytes(1, name), bytes(4, content), number(20, 3)])
const graphOf = (name: string, graph: Buffer): Buffer => Buffer.concat([bytes(1, name), bytes(6, graph), number(20, 5)])

const node = (
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: readonly Buffer[] = [],
): Buffer =>
  Buffer.concat([
    ...inputs.map((name) => bytes(1, name)),
    ...outputs.map((name) => bytes(2, name)),
    bytes(4, operator),
    ...attributes.map((attribute) => bytes(5, attribute)),
  ])

interface Graph {
  readonly nodes: readonly Buffer[]
  readonly constants?: readonly Tensor[]
  readonly inputs: readonly Buffer[]
  readonly outputs: readonly Buffer[]
}

const graph = ({ nodes, constants = [], inputs, outputs }: Graph): Buffer =>
  Buffer.concat([
    ...nodes.map((one) => bytes(1, one)),
    bytes(2, 'g'),
    ...constants.map((one) => bytes(5, tensor(one))),
    ...inputs.map((one) => bytes(11, one)),
    ...outputs.map((one) => bytes(12, one)),
  ])

/** ModelProto: IR version 8, opset 13. */
const model = (content: Graph): Buffer =>
  Buffer.concat([number(1, 8), bytes(7, graph(content)), message(8, bytes(1, ''), number(2, 13))])

const floats = (name: string, dims: readonly number[], values: readonly number[]): Tensor => ({
  name,
  dims,
  data: Float32Array.from(values),
})

/** Sides of the pictures that a model takes; a string leaves one open. */
interface MaskWish {
  readonly channels?: number
  readonly height?: Dim
  readonly width?: Dim
  /** Added to the sum of all channels, each multiplied by `weight`. */
  readonly weight?: number
  readonly bias?: number
  /** Whether its output goes through a sigmoid; otherwise it is logits. */
  readonly sigmoid?: boolean
  readonly outputs?: number
  readonly extra?: boolean
}

/** The darker a pixel, the more of it is subject: a convolution of one pixel. */
export function darknessModel({
  channels = 3,
  height = 64,
  width = 64,
  weight = -6,
  bias = -3,
  ...options
}: MaskWish = {}): Buffer {
  const { sigmoid = true, outputs = 1, extra = false } = options
  const input = { name: 'picture', dims: [1, channels, height, width] }
  const last = sigmoid ? 'shares' : 'sums'
  const dims = [1, outputs, height, width]
  return model({
    nodes: [
      node('Conv', ['picture', 'weights', 'bias'], ['sums'], [ints('kernel_shape', [1, 1])]),
      ...(sigmoid ? [node('Sigmoid', ['sums'], ['shares'])] : []),
      ...(extra ? [node('Neg', ['sums'], ['inner'])] : []),
    ],
    constants: [
      floats(
        'weights',
        [outputs, channels, 1, 1],
        Array.from({ length: outputs * channels }, () => weight),
      ),
      floats(
        'bias',
        [outputs],
        Array.from({ length: outputs }, () => bias),
      ),
    ],
    inputs: [value(input)],
    outputs: [value({ name: last, dims }), ...(extra ? [value({ name: 'inner', dims })] : [])],
  })
}

/** Takes no picture, but numbers in one row. */
export const rowModel = (): Buffer =>
  model({
    nodes: [node('Sigmoid', ['row'], ['shares'])],
    inputs: [value({ name: 'row', dims: [1, 64] })],
    outputs: [value({ name: 'shares', dims: [1, 64] })],
  })

/** Adds a patch of 7 × 7 pixels, and so fails on a picture of any other size, though it declares any size. */
export const patchModel = (): Buffer =>
  model({
    nodes: [node('Add', ['picture', 'patch'], ['result'])],
    constants: [
      floats(
        'patch',
        [1, 1, 7, 7],
        Array.from({ length: 49 }, () => 1),
      ),
    ],
    inputs: [value({ name: 'picture', dims: [1, 3, 'height', 'width'] })],
    outputs: [value({ name: 'result', dims: [1, 3, 'height', 'width'] })],
  })

/** Doubles every number of its picture, again and again: 2^40 times. */
export function endlessModel(side = 64): Buffer {
  const dims = [1, 3, side, side]
  const body = graph({
    nodes: [node('Identity', ['going'], ['still']), node('Cos', ['before'], ['after'])],
    inputs: [
      value({ name: 'round', dims: [] }, INT64),
      value({ name: 'going', dims: [] }, BOOL),
      value({ name: 'before', dims }),
    ],
    outputs: [value({ name: 'still', dims: [] }, BOOL), value({ name: 'after', dims })],
  })
  return model({
    nodes: [
      node('Loop', ['rounds', '', 'picture'], ['turned'], [graphOf('body', body)]),
      node('Conv', ['turned', 'weights'], ['sums'], [ints('kernel_shape', [1, 1])]),
    ],
    constants: [{ name: 'rounds', dims: [], data: BigInt64Array.of(1n << 40n) }, floats('weights', [1, 3, 1, 1], [1, 1, 1])],
    inputs: [value({ name: 'picture', dims })],
    outputs: [value({ name: 'sums', dims: [1, 1, side, side] })],
  })
}

/** Enlarges by repeating each pixel `factor` times in each direction, and adds `lighter` to all. */
export function enlargingModel({ factor = 2, channels = 3, side = 'side' as Dim, lighter = 0 } = {}): Buffer {
  return model({
    nodes: [
      node(
        'Resize',
        ['picture', '', 'scales'],
        ['large'],
        [text('mode', 'nearest'), text('nearest_mode', 'floor'), text('coordinate_transformation_mode', 'asymmetric')],
      ),
      node('Add', ['large', 'lighter'], ['result']),
    ],
    constants: [floats('scales', [4], [1, 1, factor, factor]), floats('lighter', [1], [lighter])],
    inputs: [value({ name: 'picture', dims: [1, channels, side, side === 'side' ? 'other' : side] })],
    outputs: [value({ name: 'result', dims: [1, channels, 'height', 'width'] })],
  })
}

/** Which of the two builds of the fast module an engine takes. */
export type FastBuild = (typeof FAST_BUILDS)[number];
export const FAST_BUILDS = ['fast', 'fast-relaxed'] as const;

// Each a module of one function () → v128: all that is asked is whether it validates.
const probe = (...body: readonly number[]): Uint8Array =>
  Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // magic, version
    ...[1, 5, 1, 0x60, 0, 1, 0x7b], // one type: () → v128
    ...[3, 2, 1, 0], // one function of it
    ...[10, body.length + 4, 1, body.length + 2, 0, ...body, 0x0b], // its code, no locals
  );

const zero = [0x41, 0, 0xfd, 0x11]; // i32.const 0, i32x4.splat
const simd = probe(...zero);
const relaxed = probe(...zero, ...zero, ...zero, 0xfd, 0x85, 0x02); // f32x4.relaxed_madd

/** null: the engine has no SIMD, and neither build can run. */
export function fastBuild(validate: (bytes: Uint8Array) => boolean = (bytes) => WebAssembly.validate(bytes as BufferSource)): FastBuild | null {
  if (validate(relaxed)) return 'fast-relaxed';
  return validate(simd) ? 'fast' : null;
}

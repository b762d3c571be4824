/** Made by tools/pack.mts from build/wasm/attn.{mjs,wasm}. */
declare module 'attn:glue' {
  const createModule: (options: { wasmBinary: ArrayBuffer; locateFile: (path: string) => string }) => Promise<import('./facade.ts').RawModule>;
  export default createModule;
}
declare module 'attn:wasm' {
  /** The wasm binary, deflate-raw, base64. */
  const packed: string;
  export default packed;
}

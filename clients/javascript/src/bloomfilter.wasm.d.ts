/** A WebAssembly.Module, where the platform makes one of the import. */
declare const module: import('./module.js').WebAssemblyModule;
export default module;

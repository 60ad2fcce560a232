// The core in the reader's tab: MicroPython, loaded when it is first needed. Main thread: calls are short.
"use strict";

(function () {
  const base = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
  /** @type {Promise<any> | null} */
  let engine = null;
  /** @type {Promise<{micropython: () => void, wasm: Uint8Array, core: Record<string, string>}> | null} */
  let made = null;

  /**
   * Run a classic script of the site; it works from file:// too.
   * @param {string} path
   * @returns {Promise<void>}
   */
  function load(path) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL("../engine/" + path, base).href;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(path));
      document.head.append(script);
    });
  }

  /** @param {string} packed base64 of gzipped bytes */
  async function unpacked(packed) {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /** Load what an interpreter is made of, once. A saved page has it inside already. */
  function parts() {
    made = made || (async () => {
      const scope = /** @type {any} */ (globalThis);
      const needed = { RLPU_MICROPYTHON: "micropython.js", RLPU_WASM: "wasm.js", RLPU_CORE: "core.js" };
      await Promise.all(Object.entries(needed).map(([name, path]) => (name in scope ? null : load(path))));
      return { micropython: scope.RLPU_MICROPYTHON, wasm: await unpacked(scope.RLPU_WASM), core: scope.RLPU_CORE };
    })();
    return made;
  }

  /** @param {string} module @param {any} setup */
  async function boot(module, setup) {
    if (typeof WebAssembly !== "object") throw new Error("WebAssembly");
    const scope = /** @type {any} */ (globalThis);
    const { micropython, wasm, core: files } = await parts();
    if (!scope.loadMicroPython) micropython();
    const python = await scope.loadMicroPython({ wasmBinary: wasm, url: "micropython.wasm" });
    python.FS.mkdir("compute");
    for (const [path, text] of Object.entries(files)) python.FS.writeFile(path, text);
    const core = python.pyimport(module);
    core.begin(JSON.stringify(setup));
    return core;
  }

  RLPU.engine = {
    /**
     * Load the engine, once. Rejects when WebAssembly is missing or fails.
     * @param {string} module of the core that the page talks to, such as "compute.live"
     * @param {any} setup
     */
    start(module, setup) {
      engine = engine || boot(module, setup);
      return engine;
    },

    /** What another interpreter can be made of: MicroPython as a function, its WebAssembly, the core's files. */
    parts,

    /**
     * Call a function of the core: JSON in, JSON out.
     * @param {any} core what start() gave
     * @param {string} name
     * @param {...any} values
     */
    call(core, name, ...values) {
      return JSON.parse(core[name](...values.map((value) => JSON.stringify(value))));
    },
  };
})();

(() => {
  const inMemory = () => {
    const kept = new Map();
    const storage = {
      key: (index) => [...kept.keys()][index] ?? null,
      getItem: (name) => kept.get(String(name)) ?? null,
      setItem: (name, value) => void kept.set(String(name), String(value)),
      removeItem: (name) => void kept.delete(String(name)),
      clear: () => kept.clear(),
    };
    return new Proxy(storage, {
      get: (_, name) => (name === "length" ? kept.size : name in storage ? storage[name] : kept.get(name)),
      set: (_, name, value) => (kept.set(name, String(value)), true),
      deleteProperty: (_, name) => (kept.delete(name), true),
    });
  };
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      window[name];
    } catch {
      Object.defineProperty(window, name, { configurable: true, value: inMemory() });
    }
  }
  try {
    document.cookie;
  } catch {
    Object.defineProperty(document, "cookie", { configurable: true, writable: true, value: "" });
  }
})();

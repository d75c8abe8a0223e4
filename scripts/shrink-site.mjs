// Makes the files that every page loads smaller, and names them after what they contain then.
//
//   node scripts/shrink-site.mjs target/site/pkg coverage-dashboard target/release/hash.txt
//
// wasm-bindgen gives each function that the WASM imports a long name with 16 random digits, which do not compress. Here the functions
// become a list without names, and the WASM imports them by their places in it. The hashes in the names of files get shorter.
// Nothing here understands JavaScript: it replaces what cargo-leptos and wasm-bindgen write, and fails if they write something else.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [folder, name, hashes] = process.argv.slice(2);
const path = (file) => `${folder}/${file}`;
const only = (pattern) => {
  const found = readdirSync(folder).filter((file) => pattern.test(file));
  if (found.length !== 1) throw new Error(`${folder} has ${found.length} files ${pattern} instead of one`);
  return found[0];
};
const [scriptFile, codeFile] = ["js", "wasm"].map((kind) => only(new RegExp(`^${name}\\.[^.]+\\.${kind}$`)));
const loaderFile = only(/^__wasm_split\.[^.]+\.js$/);

/** The script with every match replaced. There have to be `count` of them. */
function replaced(script, pattern, count, by) {
  const found = [...script.matchAll(pattern)].length;
  if (found !== count) throw new Error(`${scriptFile} has ${found} matches of ${pattern} instead of ${count}`);
  return script.replace(pattern, by);
}

// --- the WASM ---

const IMPORTS = 2;
const EXPORTS = 7;
const FUNCTION = 0;

/** A number as LEB128. */
function leb(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return Buffer.from([...bytes, number]);
}

const sized = (bytes) => Buffer.concat([leb(bytes.length), bytes]);

/** Reads the parts of a module one after the other. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  take(count) {
    if (this.at + count > this.bytes.length) throw new Error("the WASM ends too early");
    return this.bytes.subarray(this.at, (this.at += count));
  }
  number() {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const [byte] = this.take(1);
      number |= (byte & 127) << shift;
      if (byte < 128) return number >>> 0;
    }
  }
  text() {
    return this.take(this.number()).toString();
  }
}

/** The module with the imports and exports that these functions return. It loses its custom sections, which only tools read. */
function renamed(code, imported, exported) {
  const reader = new Reader(code);
  const parts = [reader.take(8)];
  const entries = (content, rewritten) => {
    const section = new Reader(content);
    const written = Array.from({ length: section.number() }, () => rewritten(section));
    return Buffer.concat([leb(written.length), ...written]);
  };
  while (reader.at < code.length) {
    const [kind] = reader.take(1);
    let content = reader.take(reader.number());
    if (kind === 0) continue;
    if (kind === IMPORTS)
      content = entries(content, (section) => {
        const [module, field] = imported(section.text(), section.text());
        const [what] = section.take(1);
        if (what !== FUNCTION) throw new Error(`${codeFile} imports more than functions`);
        return Buffer.concat([sized(Buffer.from(module)), sized(Buffer.from(field)), Buffer.from([what]), leb(section.number())]);
      });
    if (kind === EXPORTS)
      content = entries(content, (section) => Buffer.concat([sized(Buffer.from(exported(section.text()))), section.take(1), leb(section.number())]));
    parts.push(Buffer.from([kind]), sized(content));
  }
  return Buffer.concat(parts);
}

// --- the names of functions ---

let script = readFileSync(path(scriptFile), "utf8");
const functions = /(?<=[{,])(__wb\w+):(?=function\()/g;
const places = new Map([...script.matchAll(functions)].map(([, long], place) => [long, String(place)]));
const imports = new Set();
const exports = new Map();
const code = renamed(
  readFileSync(path(codeFile)),
  (module, field) => {
    if (module === `./${loaderFile}`) return ["b", field];
    const place = places.get(field);
    if (module !== `./${name}_bg.js` || place === undefined) throw new Error(`${codeFile} imports ${field} of ${module}`);
    imports.add(place);
    return ["a", place];
  },
  (long) => {
    const isOfScript = /^__(wb|wasm_bindgen)/.test(long);
    if (isOfScript) exports.set(long, `_${exports.size.toString(36)}`);
    return exports.get(long) ?? long;
  },
);
if (imports.size !== places.size || imports.size === 0) throw new Error(`${codeFile} imports ${imports.size} functions, and ${scriptFile} has ${places.size}`);

script = replaced(script, functions, places.size, "");
script = replaced(script, /"\.\/[\w-]+_bg\.js":\{__proto__:null,/g, 1, "a:[");
script = replaced(script, /\}((?:,"\.\/__wasm_split\.[^"]*":\w)+)/g, 1, (_, same) => `],b${same.slice(same.lastIndexOf(":"))}`);
// One import of the same file for each island; the last one is the one that is used.
script = replaced(script, /(?:import\*as \w+ from"\.\/__wasm_split\.[^"]*";)+/g, 1, (same) => same.slice(same.lastIndexOf("import")));
script = script.replace(/(?<=\.)__(?:wb|wasm_bindgen)\w+/g, (long) => {
  if (!exports.has(long)) throw new Error(`${scriptFile} uses ${long}, which ${codeFile} does not export`);
  return exports.get(long);
});
const loader = readFileSync(path(loaderFile), "utf8").replace(/^\s*(?:\/\/.*|\/\*[^*]*\*\/)\n|^\s+/gm, "");

// --- the names of files ---

const LENGTH = 11; // 66 bits
const hashed = (...contents) => contents.reduce((hash, content) => hash.update(content), createHash("sha256")).digest("base64url").slice(0, LENGTH);
const all = readdirSync(folder).flatMap((file) => [...file.matchAll(/\.([\w-]{22})\.\w+$/g)].map(([, hash]) => [file, hash]));
const shorter = new Map(all.map(([, hash]) => [hash, hash.slice(0, LENGTH)]));
const hashOf = (file) => file.split(".").at(-2);
const withShorter = (text) => text.replace(/(?<=[.\s])[\w-]{22}(?=["\s.])/g, (hash) => shorter.get(hash) ?? hash);
shorter.set(hashOf(codeFile), hashed(code));
// The script and the loader name each other, so both have the hash of both.
for (const file of [scriptFile, loaderFile]) shorter.set(hashOf(file), "");
const both = hashed(withShorter(script), withShorter(loader));
for (const file of [scriptFile, loaderFile]) shorter.set(hashOf(file), both);

function write(file, content) {
  const bytes = Buffer.from(content);
  const brotli = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(path(file), bytes);
  writeFileSync(path(`${file}.br`), brotliCompressSync(bytes, { params: brotli }));
  writeFileSync(path(`${file}.gz`), gzipSync(bytes, { level: 9 }));
}
write(scriptFile, withShorter(script));
write(codeFile, code);
write(loaderFile, withShorter(loader));
const manifest = only(/^__wasm_split_manifest\.[^.]+\.json$/);
write(manifest, withShorter(readFileSync(path(manifest), "utf8")));
writeFileSync(hashes, withShorter(readFileSync(hashes, "utf8")));
for (const [file, hash] of all)
  for (const coding of ["", ".br", ".gz"]) renameSync(path(file + coding), path(file.replace(hash, shorter.get(hash)) + coding));

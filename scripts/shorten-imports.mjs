// Makes the JavaScript and the WASM of the site smaller: wasm-bindgen ends the name of each imported function with 16 random
// digits, which do not compress. Here they become a number. The length stays, so both files are changed byte by byte.
//
//   node scripts/shorten-imports.mjs target/site/pkg coverage-dashboard
//
// The names of the files keep the hashes of their former contents, from which the new contents follow.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [folder, name] = process.argv.slice(2);
const only = (pattern) => {
  const found = readdirSync(folder).filter((file) => pattern.test(file));
  if (found.length !== 1) throw new Error(`${folder} has ${found.length} files ${pattern} instead of one`);
  return `${folder}/${found[0]}`;
};
const files = ["js", "wasm"].map((kind) => only(new RegExp(`^${name}\\.[^.]+\\.${kind}$`)));
const imported = /__wb[a-z_]*g_\w+?_[0-9a-f]{16}(?![0-9a-zA-Z_])/g;
const texts = files.map((file) => readFileSync(file, "latin1"));
const [inScript, inCode] = texts.map((text) => [...new Set(text.match(imported) ?? [])].sort());
if (inScript.length === 0 || inScript.join() !== inCode.join())
  throw new Error(`the script has ${inScript.length} imports, and the code ${inCode.length} others`);
const short = new Map(inScript.map((long, index) => [long, long.slice(0, -16) + String(index).padStart(16, "0")]));
files.forEach((file, index) => {
  const content = Buffer.from(texts[index].replace(imported, (long) => short.get(long)), "latin1");
  const brotli = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(file, content);
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: brotli }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
});

// Reports of real tools, served and as plain files: they look and work the same.
import { rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generatorOf } from "../fixtures/generators";
import { samples, unpack, uploadSample } from "../fixtures/samples";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";
import { type ReportLocation, visit } from "../fixtures/visit";

// Two visits of a dozen pages each, up to 1,524 rows: slow on a busy machine.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
// The pages of some tools log errors as plain files too. Here the two are compared.
test.use({ expectedConsole: /^/ });

test("the sample reports exist", () => {
  test.skip(samples().length === 0, "COVERAGE_SAMPLE_REPORTS names no folder of sample archives (make sets it)");
  expect(samples().length).toBeGreaterThan(15);
});

// The samples have another report of the same tool, with the same kinds of pages.
const repeated = [
  "java-jacoco-nodebug",
  "js-vitest-zero-percent",
  "php-phpunit-pcov-inflector",
  "py-coveragepy-line",
  "py-large-sympy",
  "py-pytest-cov",
];
for (const sample of samples().filter(({ name }) => !repeated.includes(name)))
  test(`${sample.name} looks, sorts, filters and links as its plain files do`, async ({ page, server }) => {
    const { tool, actions } = generatorOf(sample.name);
    const id = await uploadSample(server, sample);
    const folder = await unpack(sample);
    try {
      // Reports load style sheets and fonts of other hosts. No test depends on the network.
      await page.route(isElsewhere, (route) => route.abort());
      await page.addInitScript(notByChance);
      const location = await servedAt(server, id, folder);
      const root = `${pathToFileURL(folder)}/`;
      const plain = await visit(page, { entrance: location.entrance.replace(location.root, root), root, folder }, actions);
      const served = await visit(page, { ...location, entrance: `${server.url}/reports/${id}/` }, actions);

      expect(served.refusals, "every requested file exists").toEqual([]);
      expect(served.pages).toEqual(plain.pages);
      expect(served.seen, tool).toEqual(plain.seen);
      expect(served.complaints.filter((complaint) => !plain.complaints.includes(complaint))).toEqual([]);
      for (const [does, [first, ...later]] of Object.entries(plain.seen))
        if (first && first.length > 1 && later.length > 0)
          expect(later.some((state) => state.join() !== first.join()), `${does}: something changes`).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

/** PHPUnit's charts place their points at random and sometimes throw because of it. */
function notByChance() {
  let last = 1;
  Math.random = () => (last = (last * 16807) % 2147483647) / 2147483647;
}

const isElsewhere = ({ protocol, hostname }: URL) => /^http/.test(protocol) && hostname !== "127.0.0.1";

/** The start page to which the server redirects, and the prefix of the addresses of the report's files. */
async function servedAt(server: Server, id: number, folder: string): Promise<ReportLocation> {
  const { url, status } = await fetch(`${server.url}/reports/${id}/`);
  expect(status).toBe(200);
  const segments = new URL(url).pathname.split("/");
  const start = segments.findIndex((_, n) => n > 0 && existsSync(join(folder, ...segments.slice(n).map(decodeURIComponent))));
  expect(start, `${url} ends with a file of the archive`).toBeGreaterThan(0);
  const path = segments.slice(start).join("/");
  return { entrance: url, root: url.slice(0, url.length - path.length), folder };
}

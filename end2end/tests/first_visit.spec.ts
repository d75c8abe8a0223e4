// The downloads of a first visit, and its layout shifts. The limits are in budget.json.
import type { BrowserContext, Page } from "@playwright/test";
import { ownOrg, uploadRecord, uploadRepositories } from "../fixtures/data";
import { hydrated } from "../fixtures/page";
import { expect, test } from "../fixtures/test";
import budget from "../budget.json";

/** The bytes on the wire of a first visit, including headers, as the browser counts them. */
async function firstVisit(page: Page, context: BrowserContext, address: string) {
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  const sizes = new Map<string, number>();
  const addresses = new Map<string, string>();
  const coded = new Map<string, string>();
  client.on("Network.responseReceived", ({ requestId, response }) => {
    addresses.set(requestId, new URL(response.url).pathname);
    coded.set(requestId, response.headers["content-encoding"] ?? response.headers["Content-Encoding"] ?? "as it is");
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  await page.goto(address, { waitUntil: "networkidle" });
  await hydrated(page);
  await page.waitForLoadState("networkidle");

  const files = [...sizes].map(([id, bytes]) => `${addresses.get(id)} ${bytes} (${coded.get(id)})`);
  const kilobytes = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000;
  console.log(`first visit: ${kilobytes.toFixed(1)} kB\n  ${files.join("\n  ")}`);
  expect([...coded.values()].filter((coding) => coding === "br").length, "page, style, script and wasm").toBeGreaterThanOrEqual(4);
  const downloaded = [...sizes].filter(([, bytes]) => bytes > 0).map(([id]) => addresses.get(id) ?? "");
  expect(downloaded, "each file is downloaded once").toEqual([...new Set(downloaded)]);
  const wasm = [...sizes].find(([id]) => /coverage-dashboard\..*\.wasm$/.test(addresses.get(id) ?? ""))?.[1] ?? Infinity;
  expect(wasm / 1000).toBeLessThanOrEqual(budget["WASM of every page, kB after brotli"]);
  return { files, kilobytes };
}

test("the downloads of a first visit to the overview stay within the budget", async ({ page, ownServer, context }) => {
  await uploadRepositories(ownServer, ownOrg("budget"), 51);
  const { files, kilobytes } = await firstVisit(page, context, ownServer.url);
  expect(files.filter((file) => file.includes(".wasm")), "no code of charts").toHaveLength(1);
  expect(kilobytes, files.join("\n")).toBeLessThanOrEqual(budget["first visit to the overview, kB after brotli"]);
});

test("the downloads of a first visit to a repository stay within the budget", async ({ page, server, context }) => {
  const org = ownOrg("budget");
  await server.importHistory(
    Array.from({ length: 480 }, (_, n) => ({ org_name: org, repo_name: "parking", lines_covered: 80 + (n % 9), days: n / 2 })),
  );
  const { files, kilobytes } = await firstVisit(page, context, `/repos/${org}/parking?range=12m`);
  expect(files.filter((file) => file.includes(".wasm")), "the code of charts too").not.toHaveLength(1);
  expect(kilobytes, files.join("\n")).toBeLessThanOrEqual(budget["first visit to a repository, kB after brotli"]);
});

test("files with hashes in their names are cached forever, and pages never", async ({ page }) => {
  const cached = new Map<string, string | undefined>();
  page.on("response", (response) => cached.set(new URL(response.url()).pathname, response.headers()["cache-control"]));
  await page.goto("/", { waitUntil: "networkidle" });
  const built = [...cached].filter(([path]) => path.startsWith("/pkg/"));
  expect(built.length).toBeGreaterThanOrEqual(3);
  for (const [path, policy] of built) {
    expect(path).toMatch(/\/pkg\/(coverage-dashboard|__wasm_split)\.[\w-]{10,}\.(css|js|wasm)$/);
    expect(policy).toBe("public, max-age=31536000, immutable");
  }
  expect(cached.get("/")).toBe("no-store");
});

/** Lists in `window.shifts` what moves on each page. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const box = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}×${height}`;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as any[]) {
        const moved = shift.sources.map(({ node, previousRect, currentRect }: any) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.cloneNode().outerHTML}: ${box(previousRect)} to ${box(currentRect)}`;
        });
        shifts.push(`${shift.value} after ${shift.startTime} ms: ${moved.join("; ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

const shifts = (page: Page) => page.evaluate(() => (window as any).shifts as string[]);

for (const width of [1280, 360]) {
  test(`nothing shifts while a page loads at ${width} px`, async ({ page, server }) => {
    const org = ownOrg("jump");
    await uploadRepositories(server, org, 12);
    const { id } = await uploadRecord(server, { org_name: org, commit_author: "Kim" });
    await page.setViewportSize({ width, height: 800 });
    await watchShifts(page);
    for (const path of ["/", `/orgs/${org}`, `/repos/${org}/parking`, `/records/${id}`, `/compare?base=${id}&head=${id}`, "/authors/Kim", "/uploads", "/storage", "/setup"]) {
      await page.goto(path, { waitUntil: "networkidle" });
      await hydrated(page);
      expect.soft(await shifts(page), path).toEqual([]);
    }
  });
}

test("no table moves while the overview arrives slowly", async ({ page, ownServer, context }) => {
  for (const org of ["first", "second", "third"]) await uploadRepositories(ownServer, org, 17);
  await page.setViewportSize({ width: 1280, height: 2000 });
  await watchShifts(page);
  // The style is cached, so that the browser paints what has arrived of the page.
  await page.goto(ownServer.url, { waitUntil: "networkidle" });
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: 10_000, uploadThroughput: -1 });
  await page.reload({ waitUntil: "networkidle" });
  await hydrated(page);
  // The headings of a row may arrive one by one.
  expect((await shifts(page)).filter((shift) => shift.includes("<section"))).toEqual([]);
});

// The downloads of a first visit, and its layout shifts. The limits are in budget.json.
import { ownOrg, uploadRecord, uploadRepositories } from "../fixtures/data";
import { hydrated } from "../fixtures/page";
import { expect, test } from "../fixtures/test";
import budget from "../budget.json";

test("the downloads of a first visit to the overview stay within the budget", async ({ page, ownServer, context }) => {
  await uploadRepositories(ownServer, ownOrg("budget"), 51);
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  // The bytes on the wire including headers, as the browser counts them.
  const sizes = new Map<string, number>();
  const addresses = new Map<string, string>();
  const coded = new Map<string, string>();
  client.on("Network.responseReceived", ({ requestId, response }) => {
    addresses.set(requestId, new URL(response.url).pathname);
    coded.set(requestId, response.headers["content-encoding"] ?? response.headers["Content-Encoding"] ?? "as it is");
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  await page.goto(ownServer.url, { waitUntil: "networkidle" });
  await hydrated(page);
  await page.waitForLoadState("networkidle");

  const files = [...sizes].map(([id, bytes]) => `${addresses.get(id)} ${bytes} (${coded.get(id)})`);
  const kilobytes = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000;
  console.log(`first visit: ${kilobytes.toFixed(1)} kB\n  ${files.join("\n  ")}`);
  expect(files.some((file) => file.includes(".wasm")), "the wasm is counted").toBe(true);
  expect([...coded.values()].filter((coding) => coding === "br").length, "page, style, script and wasm").toBeGreaterThanOrEqual(4);
  expect(kilobytes, files.join("\n")).toBeLessThanOrEqual(budget["first visit to the overview, kB after brotli"]);
});

test("files with hashes in their names are cached forever, and pages never", async ({ page }) => {
  const cached = new Map<string, string | undefined>();
  page.on("response", (response) => cached.set(new URL(response.url()).pathname, response.headers()["cache-control"]));
  await page.goto("/", { waitUntil: "networkidle" });
  const built = [...cached].filter(([path]) => path.startsWith("/pkg/"));
  expect(built.length).toBeGreaterThanOrEqual(3);
  for (const [path, policy] of built) {
    expect(path).toMatch(/\/pkg\/coverage-dashboard\.[\w-]{10,}\.(css|js|wasm)$/);
    expect(policy).toBe("public, max-age=31536000, immutable");
  }
  expect(cached.get("/")).toBe("no-store");
});

for (const width of [1280, 360]) {
  test(`nothing shifts while a page loads at ${width} px`, async ({ page, server }) => {
    const org = ownOrg("jump");
    await uploadRepositories(server, org, 12);
    const { id } = await uploadRecord(server, { org_name: org, commit_author: "Kim" });
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) (window as any).shift += (entry as any).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (const path of ["/", `/orgs/${org}`, `/repos/${org}/parking`, `/records/${id}`, `/compare?base=${id}&head=${id}`, "/authors/Kim", "/uploads", "/setup"]) {
      await page.goto(path, { waitUntil: "networkidle" });
      await hydrated(page);
      const shift = await page.evaluate(() => (window as any).shift);
      expect.soft(shift, path).toBeLessThan(budget["cumulative layout shift"]);
    }
  });
}

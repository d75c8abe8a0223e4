// Reports on an origin of their own: all that a page has, and still no way to the dashboard.
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import type { Frame, Page } from "@playwright/test";
import { uploadRecord } from "../fixtures/data";
import { hydrated } from "../fixtures/page";
import { startServer, type Server } from "../fixtures/server";
import { expect, test as base } from "../fixtures/test";

/** A server whose reports are on another host, which is this machine to every browser. */
const test = base.extend<{ origin: string; ownServer: Server }>({
  origin: async ({}, use) => {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, "close");
    await use(`http://reports.localhost:${port}`);
  },
  ownServer: async ({ origin, context }, use) => {
    const server = await startServer("--addr", `127.0.0.1:${new URL(origin).port}`, "--reports-origin", origin);
    await use(server);
    await Promise.all(context.pages().map((page) => page.close()));
    await server.stop();
  },
});

const files = {
  "htmlcov/index.html": `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>report</title><h1>report</h1>
    <script>localStorage.setItem("sorted", "by name"); document.body.dataset.kept = localStorage.getItem("sorted");</script>`,
  "htmlcov/worker.js": "addEventListener('fetch', () => {});",
};

const expected = [
  /from origin 'http:..reports.localhost:\d+' has been blocked by CORS policy/,
  /Failed to load resource: net::ERR_FAILED/,
  /bad HTTP response code \(403\)/,
  /Unsafe attempt to initiate navigation/,
  // Said of every page that has both; it is there to keep reports from navigating what frames them.
  /both allow-scripts and allow-same-origin/,
];
test.use({ expectedConsole: new RegExp(expected.map(({ source }) => source).join("|")) });

/** What comes of a script in a report. */
const attempt = (report: Page | Frame, script: string) =>
  report.evaluate(`(async () => ${script})().then(() => "got", (error) => error.name)`);

test("a report keeps what it stores, and gets at neither dashboard nor workers", async ({ page, ownServer, origin }) => {
  await uploadRecord(ownServer, {}, "75.00", files);
  await page.context().addCookies([{ name: "session", value: "secret", url: ownServer.url }]);
  await page.goto(`${ownServer.url}/repos/acme/parking`);
  await page.getByRole("link", { name: "Open HTML report" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("report");
  expect(new URL(page.url()).origin).toBe(origin);
  await expect(page.locator("body")).toHaveAttribute("data-kept", "by name");
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await attempt(page, `fetch("${ownServer.url}/coverages-api")`)).toBe("TypeError");
  expect(await attempt(page, `navigator.serviceWorker.register("worker.js")`)).not.toBe("got");
});

test("a report in a frame of the dashboard navigates nothing but itself", async ({ page, ownServer, origin }) => {
  // Browsers may deny storage to a frame of another site.
  const plain = { "htmlcov/index.html": "<!DOCTYPE html><title>report</title><h1>report</h1>" };
  const { id } = await uploadRecord(ownServer, {}, "75.00", plain);
  await page.goto(ownServer.url);
  await hydrated(page);
  await page.evaluate((address) => {
    const element = document.createElement("iframe");
    element.src = address;
    document.body.append(element);
  }, `${origin}/reports/${id}/`);
  await expect(page.frameLocator("iframe").getByRole("heading")).toHaveText("report");
  const report = page.frames().find((frame) => frame.url().startsWith(origin))!;
  expect(await attempt(report, `top.document.title`)).toBe("SecurityError");
  expect(await attempt(report, `(top.location.href = "${origin}/")`)).toBe("SecurityError");
  await expect(page).toHaveURL(`${ownServer.url}/`);
});

// An uploaded report cannot do anything to the dashboard that serves it.
import type { Page } from "@playwright/test";
import { uploadRecord } from "../fixtures/data";
import { hostileReport, named, Outcomes, VICTIM } from "../fixtures/hostile";
import { hydrated } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

test.describe.configure({ mode: "parallel" });
// Browsers report what they block, each with its own text.
test.use({ expectedConsole: /^/ });

/** A dashboard with secrets, a hostile report, and another report as its target. */
interface Scene {
  outcomes: Outcomes;
  /** The hostile report's start page, and the folder of that page. */
  report: string;
  folder: string;
  /** The data and the log of the service before the attack. */
  records: string;
  printed: number;
}

async function prepare(page: Page, server: Server): Promise<Scene> {
  const outcomes = new Outcomes(page.context());
  const victim = await uploadRecord(server, { repo_name: "victim" }, "75.00", VICTIM);
  const files = hostileReport(server, `${server.url}/reports/${victim.id}/`);
  const { id } = await uploadRecord(server, { repo_name: "hostile" }, "75.00", files);
  const { url } = await fetch(`${server.url}/reports/${id}/`);
  await page.context().addCookies([{ name: "session", value: "secret", url: server.url }]);
  await page.goto(`${server.url}/?keyword=home`);
  await page.goto(server.url);
  await hydrated(page);
  await page.evaluate(leaveSecrets);
  const records = await listing(server);
  return { outcomes, report: url, folder: new URL(".", url).href, records, printed: server.output().length };
}

/** Puts a secret into every place where the dashboard could have one. */
async function leaveSecrets() {
  window.name = "dashboard";
  localStorage.setItem("secret", "token");
  sessionStorage.setItem("secret", "token");
  await caches.open("secret");
  await (await navigator.storage.getDirectory()).getFileHandle("secret", { create: true });
  await new Promise((done, failed) => {
    const request = indexedDB.open("secrets");
    request.onsuccess = done;
    request.onerror = failed;
  });
}

async function listing(server: Server): Promise<string> {
  return (await fetch(`${server.url}/coverages-api?full`)).text();
}

/** The answers, since the set-up, to requests that could change something. */
function writes(server: Server, { printed }: Scene): string[] {
  const lines = server.output().slice(printed).split("\n");
  return lines.flatMap((line) => / method="(?:POST|PUT)" path="\/coverages-api" .*}: answered status=(\d+)/.exec(line)?.[1] ?? []);
}

/** The dashboard's page as people see it, and the storage of its origin. */
async function stateOf(page: Page) {
  const main = await page.locator("main").innerText();
  return { url: page.url(), title: await page.title(), main, storage: await page.context().storageState() };
}

async function inFrame(page: Page, address: string): Promise<void> {
  await page.evaluate((address) => {
    const frame = document.createElement("iframe");
    frame.src = address;
    document.body.append(frame);
  }, address);
}

const inWindow = (page: Page, address: string) => page.evaluate((address) => void open(address, "report"), address);

for (const [where, open, hasHostPage] of [
  ["in a frame of the dashboard", inFrame, true],
  ["in a window that the dashboard opened", inWindow, true],
  ["as a page", async (page: Page, address: string) => void (await page.goto(address)), false],
] as const)
  test(`a report ${where} cannot read, write, persist or navigate`, async ({ page, ownServer }) => {
    const scene = await prepare(page, ownServer);
    const before = await stateOf(page);
    await open(page, scene.report);
    const outcomes = await scene.outcomes.finished();
    expect.soft(named("got", outcomes), "what it got").toEqual([]);
    expect.soft(named("stopped", outcomes).length, outcomes.join("\n")).toBeGreaterThanOrEqual(hasHostPage ? 27 : 23);

    if (!hasHostPage) await page.goto(ownServer.url);
    expect(await stateOf(page)).toEqual(before);
    expect(await listing(ownServer)).toBe(scene.records);
    expect(writes(ownServer, scene).filter((status) => status < "400")).toEqual([]);
    const policy = (await fetch(scene.report)).headers.get("content-security-policy");
    if (policy?.includes("connect-src 'none'")) expect(writes(ownServer, scene), "nothing of it arrives").toEqual([]);
  });

/** Loads of another report by its number, which the service refuses. */
const PARTS = [
  "run a script of another report",
  "apply a style of another report",
  "show an image of another report",
  "embed an image of another report",
];
/** Attempts that the dashboard's header, the type of a file or the service blocks. */
const REFUSED_ANYWAY = [
  "read the dashboard in a frame",
  "register a service worker",
  "run a script that is text",
  "read another report in a frame of the dashboard",
  "start a worker of another report",
  ...PARTS,
];
const SENDS = ["send a beacon", "post without reading the answer", "submit a form", "ping by a link"];
const MOVES = [
  "navigate its host page",
  "change the fragment of its host page",
  "open a window by the dashboard's name",
  "open on top",
  "follow a link on top",
  "submit a form on top",
];
/** Attempts that throw in a sandbox. Without a sandbox they report nothing, and the dashboard's own policy blocks the script. */
const UNANSWERED = [...MOVES, "run a script in its host page"];

test.describe("without its header", () => {
  /** Serves reports without protection, and returns the attempts of a frame. */
  async function unconfined(page: Page, scene: Scene, attempts: string[]): Promise<void> {
    await page.context().route("**/reports/**", async (route) => {
      // Playwright sends a request before the browser has added the headers that identify a `fetch` of this origin.
      const fetched = ["fetch", "xhr"].includes(route.request().resourceType());
      const own: Record<string, string> = fetched ? { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" } : {};
      const response = await route.fetch({ headers: { ...route.request().headers(), ...own } });
      const { "content-security-policy": _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await inFrame(page, `${scene.report}#${encodeURIComponent(attempts.join("|"))}`);
  }

  test("the same report reads everything, so the attempts are real", async ({ page, ownServer }) => {
    const confined = await prepare(page, ownServer);
    await inFrame(page, confined.report);
    const attempts = named("stopped", await confined.outcomes.finished()).filter((name) => !UNANSWERED.includes(name));
    const free = await prepare(page, ownServer);
    const soFar = free.outcomes.soFar().length;
    await unconfined(page, free, attempts);
    const outcomes = (await free.outcomes.finished()).slice(soFar);
    const possible = (name: string) => !REFUSED_ANYWAY.includes(name);
    expect(named("stopped", outcomes).filter(possible)).toEqual([]);
    expect(named("got", outcomes).filter(possible)).toEqual(attempts.filter(possible));
    expect(await listing(ownServer), "it could upload").not.toBe(free.records);
  });

  test("what the same report sends and stores arrives", async ({ page, ownServer }) => {
    const scene = await prepare(page, ownServer);
    await unconfined(page, scene, [...SENDS, "leave a cookie", "leave something in the storage"]);
    await scene.outcomes.finished();
    await expect.poll(() => writes(ownServer, scene).length).toBe(SENDS.length);
    const { cookies, origins } = await page.context().storageState();
    expect(JSON.stringify({ cookies, origins }).match(/planted/g)).toHaveLength(2);
  });

  for (const move of MOVES)
    test(`the same report can ${move}`, async ({ page, ownServer }) => {
      const scene = await prepare(page, ownServer);
      await unconfined(page, scene, [move]);
      await page.waitForURL(/navigated/);
    });
});

test("a report cannot show the dashboard in a frame", async ({ page, ownServer }) => {
  const scene = await prepare(page, ownServer);
  for (const address of [`${ownServer.url}/`, `${scene.folder}refresh.html`]) {
    await page.goto(`${scene.report}#nothing`);
    await inFrame(page, address);
    await expect.poll(() => page.frames().at(-1)!.url()).toBe("chrome-error://chromewebdata/");
  }
  await page.goto(ownServer.url);
  await inFrame(page, `${scene.folder}refresh.html`);
  await expect.poll(() => page.frames().at(-1)!.url()).toBe("chrome-error://chromewebdata/");
  await expect(page).toHaveURL(`${ownServer.url}/`);
});

test("a report may change the path in the address bar, stays confined, and a reload shows the dashboard", async ({
  page,
  ownServer,
}) => {
  const scene = await prepare(page, ownServer);
  await page.goto(scene.report);
  const outcomes = await scene.outcomes.finished();
  // No policy forbids this. REPORTS_ORIGIN gives reports their own host if it matters.
  expect(named("tried", outcomes)).toContain("show itself under the dashboard's address");
  await expect(page.getByRole("heading", { name: "A hostile report" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await page.evaluate(() => origin)).toBe("null");
  await page.reload();
  await hydrated(page);
});

/** The outcomes of a report that loads files of another report: by record number, or with its version if it knows the version. */
async function loadPartsOfAnother(page: Page, server: Server, knowsVersion: boolean) {
  const outcomes = new Outcomes(page.context());
  const victim = await uploadRecord(server, { repo_name: "victim" }, "75.00", VICTIM);
  const address = `${server.url}/reports/${victim.id}/`;
  const version = new URL(".", (await fetch(address)).url).href;
  const files = hostileReport(server, address, knowsVersion ? version : undefined);
  const { id } = await uploadRecord(server, { repo_name: "hostile" }, "75.00", files);
  await page.goto(`${server.url}/reports/${id}/#${encodeURIComponent(PARTS.join("|"))}`);
  return outcomes.finished();
}

test("a report cannot load a script, style or image of another report by record number", async ({ page, ownServer }) => {
  const outcomes = await loadPartsOfAnother(page, ownServer, false);
  expect(named("stopped", outcomes), outcomes.join("\n")).toEqual(PARTS);
});

test("with the version of the other report it can, so the attempts are real", async ({ page, ownServer }) => {
  const outcomes = await loadPartsOfAnother(page, ownServer, true);
  expect(named("got", outcomes), outcomes.join("\n")).toEqual(PARTS);
});

test("the dashboard can frame a report by record number", async ({ page, ownServer }) => {
  const { id } = await uploadRecord(ownServer, { repo_name: "victim" }, "75.00", VICTIM);
  await page.goto(`${ownServer.url}/records/${id}#report`);
  await page.locator("#report summary").click();
  const heading = page.frameLocator("iframe").getByRole("heading", { name: "secret" });
  await heading.scrollIntoViewIfNeeded();
  await expect(heading, "its style sheet is there").toHaveCSS("color", "rgb(1, 2, 3)");
  await page.goto(`${ownServer.url}/reports/${id}/htmlcov/index.html`);
  await expect(page.getByRole("heading", { name: "secret" })).toHaveCSS("color", "rgb(1, 2, 3)");
  expect(page.url()).toMatch(/\/@[0-9a-f]{32}\/htmlcov\/index\.html$/);
});

for (const file of ["page.svg", "page.xhtml", "page.xml"])
  test(`${file} of a report is confined like its HTML`, async ({ page, ownServer }) => {
    const scene = await prepare(page, ownServer);
    await page.goto(scene.folder + file);
    const outcomes = await scene.outcomes.finished();
    expect(named("got", outcomes)).toEqual([]);
    expect(named("stopped", outcomes).length, outcomes.join("\n")).toBeGreaterThanOrEqual(23);
    expect(await listing(ownServer)).toBe(scene.records);
  });

test("XSLT of a report reads nothing", async ({ page, ownServer }) => {
  const scene = await prepare(page, ownServer);
  await page.goto(`${scene.folder}styled.xml`);
  expect(named("got", scene.outcomes.soFar())).toEqual([]);
});

for (const file of ["page.txt", "page.css", "page"])
  test(`HTML named ${file} is not shown as HTML`, async ({ page, ownServer }) => {
    const scene = await prepare(page, ownServer);
    const shown = await page.goto(scene.folder + file).catch((error: Error) => {
      expect(error.message, "it is downloaded").toMatch(/Download is starting|ERR_ABORTED/);
    });
    if (shown) expect(await page.evaluate(() => document.contentType)).not.toMatch(/html/);
    expect(scene.outcomes.soFar()).toEqual([]);
    const { headers } = await fetch(scene.folder + file);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

for (const [served, policy] of [
  ["runs no script of a report", true],
  ["would run it, were it not for the page's policy", false],
] as const)
  test(`a dashboard page with injected markup ${served}`, async ({ page, ownServer }) => {
    const scene = await prepare(page, ownServer);
    await page.route(`${ownServer.url}/?keyword=injected`, async (route) => {
      const response = await route.fetch();
      const { "content-security-policy": kept, ...others } = response.headers();
      const injected = `<head><script src="${scene.folder}script.js"></script><script>window.ran = true</script>`;
      const body = (await response.text()).replace("<head>", injected);
      await route.fulfill({ response, body, headers: policy ? { ...others, "content-security-policy": kept! } : others });
    });
    await page.goto(`${ownServer.url}/?keyword=injected`);
    await hydrated(page);
    expect(await page.evaluate(() => "ran" in window)).toBe(!policy);
  });

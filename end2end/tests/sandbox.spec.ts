// What an uploaded report can do to the dashboard that serves it: nothing.
import type { Frame, Page } from "@playwright/test";
import { uploadRecord } from "../fixtures/data";
import { hostileReport } from "../fixtures/hostile";
import { hydrated } from "../fixtures/page";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

const stoppedByTheBrowser = [
  // Two versions of Chromium.
  /violates the document's Content Security Policy/,
  /violates the following Content Security Policy directive: "connect-src 'none'"/,
  /Blocked form submission .* 'allow-forms' permission is not set/,
  /Unsafe attempt to initiate navigation .* is sandboxed/,
];
test.use({ expectedConsole: new RegExp(stoppedByTheBrowser.map(({ source }) => source).join("|")) });

/** Uploads a victim's and the hostile report, leaves secrets where the dashboard could have some; the hostile address. */
async function prepare(page: Page, server: Server): Promise<string> {
  await uploadRecord(server, { repo_name: "victim" });
  const { id } = await uploadRecord(server, { repo_name: "hostile" }, "75.00", hostileReport());
  await page.context().addCookies([{ name: "session", value: "secret", url: server.url }]);
  await page.goto(server.url);
  await hydrated(page);
  await page.evaluate(() => localStorage.setItem("secret", "token"));
  return `${server.url}/reports/${id}/htmlcov/index.html`;
}

/** What the report wrote down, once it has tried everything. */
async function outcomes(report: Page | Frame): Promise<string[]> {
  await expect(report.locator("body[data-finished]")).toBeAttached();
  return report.locator("li").allTextContents();
}

const got = (all: string[]) => all.filter((outcome) => !outcome.startsWith("stopped: "));
const stopped = (all: string[]) => all.filter((outcome) => !outcome.startsWith("got: "));

function sentForms(page: Page): string[] {
  const forms: string[] = [];
  page.context().on("request", (request) => {
    if (request.url().includes("form-was-sent")) forms.push(request.url());
  });
  return forms;
}

/** Whether the dashboard's origin holds what the report tried to leave there. */
async function planted(page: Page): Promise<boolean> {
  return JSON.stringify(await page.context().storageState()).includes("planted");
}

/** The report as a frame of the dashboard's page. */
async function frame(page: Page, address: string): Promise<Frame> {
  const frames = page.frames().length;
  await page.evaluate((address) => {
    const element = document.createElement("iframe");
    element.src = address;
    document.body.append(element);
  }, address);
  await expect(page.frameLocator("iframe").locator("ul")).toBeAttached();
  return page.frames()[frames]!;
}

test("a report that is opened gets at no cookie, no storage, no answer of the service and no worker", async ({
  page,
  ownServer,
}) => {
  const address = await prepare(page, ownServer);
  const forms = sentForms(page);
  await page.goto(address);
  const all = await outcomes(page);
  expect(got(all)).toEqual([]);
  expect(all).toHaveLength(10);
  expect(await planted(page)).toBe(false);
  expect(forms).toEqual([]);
});

test("a report in a frame does not reach the page around it", async ({ page, ownServer }) => {
  const address = await prepare(page, ownServer);
  const report = await frame(page, address);
  const all = await outcomes(report);
  expect(got(all)).toEqual([]);
  expect(all).toHaveLength(13);
  const navigation = report.evaluate(() => {
    top!.location.href = "/?q=navigated";
  });
  await expect(navigation).rejects.toThrow(/permission to navigate/);
  await expect(page).toHaveURL(`${ownServer.url}/`);
});

test("a report in a window does not reach the page that opened it", async ({ page, ownServer }) => {
  const address = await prepare(page, ownServer);
  const opened = page.context().waitForEvent("page");
  await page.evaluate((address) => void open(address), address);
  const report = await opened;
  const all = await outcomes(report);
  expect(got(all)).toEqual([]);
  expect(all).toHaveLength(13);
  const navigation = report.evaluate(() => {
    opener.location.href = "/?q=navigated";
  });
  await expect(navigation).rejects.toThrow(/permission to navigate/);
  await expect(page).toHaveURL(`${ownServer.url}/`);
});

test.describe("without its header", () => {
  test.use({ expectedConsole: /status of 4\d\d|bad HTTP response code \(403\)|frame-ancestors|document.domain/ });

  test("the same report gets all of it but a worker, so the attempts above are real ones", async ({ page, ownServer }) => {
    const address = await prepare(page, ownServer);
    const forms = sentForms(page);
    await page.route("**/reports/**", async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      delete headers["content-security-policy"];
      await route.fulfill({ response, headers });
    });
    const all = await outcomes(await frame(page, address));
    // Which the service itself refuses to send.
    expect(stopped(all)).toEqual([expect.stringContaining("register a service worker")]);
    expect(all).toHaveLength(13);
    expect(await planted(page)).toBe(true);
    expect(forms).toHaveLength(1);
  });
});

// Reports on their own origin (REPORTS_ORIGIN): they work fully and cannot reach the dashboard.
import type { BrowserContext } from "@playwright/test";
import { uploadRecord } from "../fixtures/data";
import { hostileReport, named, Outcomes, VICTIM } from "../fixtures/hostile";
import { hydrated } from "../fixtures/page";
import { freePort, type Server, startServer } from "../fixtures/server";
import { expect, test as base } from "../fixtures/test";

interface Split {
  dashboard: Server;
  /** The same server under another name: browsers resolve every name below localhost to this machine. */
  reports: string;
}

const test = base.extend<{ split: Split }>({
  split: async ({ context }, use) => {
    const port = await freePort();
    const reports = `http://reports.localhost:${port}`;
    const dashboard = await startServer({ "--addr": `127.0.0.1:${port}`, "--reports-origin": reports });
    await use({ dashboard, reports });
    await Promise.all(context.pages().map((page) => page.close()));
    await dashboard.stop();
  },
});
// Browsers report what they block, each with its own text.
test.use({ expectedConsole: /^/ });

/** The hostile report's record, with a secret cookie and storage on the dashboard. */
async function attack(context: BrowserContext, { dashboard, reports }: Split, victimIsOn: "dashboard" | "reports" = "dashboard") {
  const outcomes = new Outcomes(context);
  const victim = await uploadRecord(dashboard, { repo_name: "victim" }, "75.00", VICTIM);
  const files = hostileReport(dashboard, `${victimIsOn === "reports" ? reports : dashboard.url}/reports/${victim.id}/`);
  const { id } = await uploadRecord(dashboard, { repo_name: "hostile" }, "75.00", files);
  await context.addCookies([{ name: "session", value: "secret", url: dashboard.url }]);
  const page = await context.newPage();
  await page.goto(dashboard.url);
  await hydrated(page);
  await page.evaluate(() => localStorage.setItem("secret", "token"));
  const records = await (await fetch(`${dashboard.url}/coverages-api?full`)).text();
  return { page, outcomes, records, entrance: `${dashboard.url}/reports/${id}/` };
}

/** What a report may do on an origin with reports only. */
const HARMLESS = [
  "open a database",
  "start a worker of its address",
  "start a shared worker",
  "set document.domain",
];

test("the dashboard's links lead to the reports origin and back", async ({ page, split: { dashboard, reports } }) => {
  await uploadRecord(dashboard, { commit_hash: "c0ffee1" });
  await page.goto(`${dashboard.url}/repos/acme/parking`);
  const link = page.getByTestId("headline").getByRole("link", { name: "HTML report of main, python" });
  expect(await link.evaluate((a: HTMLAnchorElement) => a.origin)).toBe(reports);
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("c0ffee1");
  expect(new URL(page.url()).origin).toBe(reports);
  await page.getByRole("link", { name: "parking.py" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("parking.py");
  expect(new URL(page.url()).origin).toBe(reports);
});

test("an address on the dashboard's host redirects to the reports origin", async ({ page, split: { dashboard, reports } }) => {
  const { id } = await uploadRecord(dashboard);
  await page.goto(`${dashboard.url}/reports/${id}/`);
  expect(new URL(page.url()).origin).toBe(reports);
});

test("the storage of a report outlives its page", async ({ page, split: { dashboard, reports } }) => {
  const { id } = await uploadRecord(dashboard);
  await page.goto(`${reports}/reports/${id}/`);
  expect(await page.evaluate(() => origin)).toBe(reports);
  await page.evaluate(() => localStorage.setItem("order", "coverage"));
  await page.reload();
  expect(await page.evaluate(() => localStorage.getItem("order"))).toBe("coverage");
});

for (const victimIsOn of ["dashboard", "reports"] as const)
  test(`a report reads nothing of the dashboard or, on the ${victimIsOn} host, of another report, and does not persist`, async ({
    context,
    split,
  }) => {
    const { page, outcomes, records, entrance } = await attack(context, split, victimIsOn);
    await page.goto(entrance);
    const all = await outcomes.finished();
    const ofReports = /worker of its|shared worker|under another/;
    expect(named("stopped", all).filter((name) => /another report/.test(name)).length, all.join("\n")).toBe(11);
    expect(named("got", all).filter((name) => !HARMLESS.includes(name) && !ofReports.test(name))).toEqual([]);
    expect(named("stopped", all)).toContain("register a service worker");
    expect(await (await fetch(`${split.dashboard.url}/coverages-api?full`)).text()).toBe(records);
    await page.goto(split.dashboard.url);
    expect(await page.evaluate(() => localStorage.getItem("planted") ?? document.cookie)).toBe("session=secret");
  });

test("a report in a frame of the dashboard cannot navigate the dashboard", async ({ context, split }) => {
  const { page, outcomes, entrance } = await attack(context, split);
  const title = await page.title();
  await page.evaluate((address) => {
    const frame = document.createElement("iframe");
    frame.src = address;
    document.body.append(frame);
  }, entrance);
  const all = await outcomes.finished();
  expect(named("got", all).filter((name) => /host page|on top|the API|a page|upload|put/.test(name))).toEqual([]);
  expect(page.url()).toBe(`${split.dashboard.url}/`);
  expect(await page.title()).toBe(title);
});

test("the reports origin serves no page of the dashboard and no API", async ({ page, split: { dashboard, reports } }) => {
  await uploadRecord(dashboard);
  for (const path of ["/", "/repos/acme/parking", "/coverages-api", "/coverages-api/health"])
    expect.soft((await page.goto(reports + path))?.status(), path).toBe(404);
});

// The page of a record: the address searches, sorts and opens its files, and its HTML report is in a frame.
import { type Page } from "@playwright/test";
import { violations } from "../fixtures/axe";
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import { report } from "../fixtures/report";
import { freePort, type Server, startServer } from "../fixtures/server";
import { upload, type CoverageRecord } from "../fixtures/upload";
import { expect, test } from "../fixtures/test";

type Counted = [path: string, covered: number, total: number];

const FILES: Counted[] = [
  ["src/auth/login.py", 10, 40],
  ["src/auth/token.py", 39, 40],
  ["src/billing/tax.py", 70, 100],
  ["main.py", 5, 5],
];

/** With as many areas as a map needs, between the sizes of billing and auth. */
const MAPPED: Counted[] = [...FILES, ...[1, 2, 3, 4, 5, 6].map((n): Counted => [`src/m${n}/a.py`, 90, 90])];

function xml(files: Counted[]): string {
  const classes = files.map(([path, covered, total]) => {
    const lines = Array.from({ length: total }, (_, n) => `<line number="${n + 1}" hits="${n < covered ? 1 : 0}"/>`);
    return `<class filename="${path}"><lines>${lines.join("")}</lines></class>`;
  });
  return `<coverage version="7.6"><packages><package><classes>${classes.join("")}</classes></package></packages></coverage>`;
}

async function uploadFiles(server: Server, org: string, commit: string, files = FILES, html = report(commit)): Promise<CoverageRecord> {
  const parameters = {
    org_name: org,
    repo_name: "parking",
    branch_name: "main",
    commit_hash: commit,
    commit_author: "Kim",
    language: "python",
    coverage_xml_file_name: "coverage.xml",
  };
  const { status, body } = await upload(server, parameters, { ...html, "coverage.xml": xml(files) });
  expect(status, body.detail).toBe(201);
  return body.coverage;
}

const rows = (page: Page) => page.getByTestId("files").locator("tbody").getByRole("rowheader");

test("typing searches the files and changes the address", async ({ page, server }) => {
  const { id } = await uploadFiles(server, ownOrg("search"), "c1");
  await page.goto(`/records/${id}`);
  await hydrated(page);
  await expect(rows(page)).toHaveText([/^src\//, "main.py"]);
  const stillTheSame = await sameDocument(page);
  await page.getByRole("searchbox", { name: "Search files" }).pressSequentially("TAX");
  await expect(rows(page)).toHaveText(["src/billing/tax.py"]);
  await expect(page).toHaveURL(/[?&]file=TAX/);
  await stillTheSame();
  await page.reload();
  await expect(rows(page)).toHaveText(["src/billing/tax.py"]);
  await page.goto(`/records/${id}?file=no-such-file`);
  await page.getByRole("link", { name: "Show all files" }).click();
  await expect(rows(page)).toHaveCount(2);
});

test("a file opens its lines above its page of the tool, without a violation of WCAG 2.2 AA", async ({ page, server }) => {
  const html = { ...report("c1"), "htmlcov/src/billing/tax.py.html": "<!doctype html><title>tax</title><p>The page of tax.py" };
  const { id } = await uploadFiles(server, ownOrg("source"), "c1", FILES, html);
  await page.goto(`/records/${id}?as=flat`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await rows(page).getByRole("link", { name: "src/billing/tax.py" }).click();
  await expect(page).toHaveURL(`/records/${id}/source?path=src%2Fbilling%2Ftax.py`);
  await stillTheSame();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("src/billing/tax.py");
  const lines = page.getByRole("region", { name: "Lines" });
  await expect(lines.getByRole("listitem")).toHaveText(["✗ 30 missed", "✓ 70 hit"]);
  await expect(lines.getByRole("link", { name: "Line 71: 30 lines missed or partial" })).toHaveText("71–100");
  await expect(page.frameLocator("iframe").getByText("The page of tax.py")).toBeVisible();
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.goBack();
  await expect(page).toHaveURL(`/records/${id}?as=flat`);
});

test("files are sorted by the chosen column", async ({ page, server }) => {
  const { id } = await uploadFiles(server, ownOrg("sort"), "c1");
  await page.goto(`/records/${id}?as=flat`);
  await expect(rows(page)).toHaveText(["src/auth/login.py", "src/billing/tax.py", "src/auth/token.py", "main.py"]);
  const heading = (name: string) => page.getByTestId("files").locator("thead th", { hasText: name });
  for (const [name, expected] of [
    ["File", ["main.py", "src/auth/login.py", "src/auth/token.py", "src/billing/tax.py"]],
    ["Coverage", ["src/auth/login.py", "src/billing/tax.py", "src/auth/token.py", "main.py"]],
    ["Lines", ["src/billing/tax.py", "src/auth/login.py", "src/auth/token.py", "main.py"]],
  ] as const) {
    await heading(name).locator("a").click();
    await expect(rows(page)).toHaveText([...expected]);
    await expect(heading(name)).toHaveAttribute("aria-sort", /ending/);
  }
});

test("a tile of the map opens its folder, and Back leaves it", async ({ page, server }) => {
  const { id } = await uploadFiles(server, ownOrg("map"), "c1", MAPPED);
  await page.goto(`/records/${id}?dir=src`);
  await hydrated(page);
  const map = page.getByTestId("map");
  await map.locator("svg:visible .tile", { hasText: "auth/" }).click();
  await expect(page).toHaveURL(/dir=src%2Fauth/);
  await expect(rows(page)).toHaveText(["login.py", "token.py"]);
  await expect(map, "two files need no map").toHaveCount(0);
  await rows(page).getByRole("link", { name: "login.py" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("src/auth/login.py");
  await page.goBack();
  await page.goBack();
  await expect(rows(page)).toHaveCount(8);
});

test("the map is one Tab stop, and keys move through its tiles from the largest", async ({ page, server }) => {
  const { id } = await uploadFiles(server, ownOrg("map-keys"), "c1", MAPPED);
  const address = `/records/${id}?dir=src`;
  await page.goto(address);
  await hydrated(page);
  const map = page.getByTestId("map");
  await expect(map.getByRole("link")).toHaveCount(0);
  const drawing = map.getByRole("application");
  await expect(drawing).toHaveAccessibleName(/^Map of the files: a larger area/);
  await drawing.focus();
  const announcement = page.locator("#announcement");
  await expect(announcement).toHaveText(/^billing\/, 70\.00.%, 30 of 100 lines missed/);
  await page.keyboard.press("End");
  await expect(announcement).toHaveText(/^auth\//);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/dir=src%2Fauth/);
  await expect(rows(page)).toHaveText(["login.py", "token.py"]);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(drawing).toBeFocused();
  await map.locator("svg:visible .tile", { hasText: "auth/" }).dblclick();
  // Longer than a click waits for a second click.
  await page.waitForTimeout(600);
  await expect(page).toHaveURL(address);
});

test("its HTML report opens below its files, in a frame with working scripts", async ({ page, server }) => {
  const org = ownOrg("frame");
  const older = await uploadFiles(server, org, "c0ffee1");
  const newer = await uploadFiles(server, org, "c0ffee2");
  await page.goto(`/records/${older.id}`);
  await hydrated(page);
  const frame = page.frameLocator("iframe");
  const report = page.locator("#report");
  const heading = report.getByRole("heading", { name: "HTML report" });
  await heading.click();
  await expect(frame.getByRole("heading", { level: 1 })).toHaveText("c0ffee1");
  await frame.getByRole("button", { name: "Coverage" }).click();
  await expect(frame.locator("tbody tr").first()).toContainText("gate.py");
  await frame.getByRole("link", { name: "parking.py" }).click();
  await expect(frame.getByRole("heading", { level: 1 })).toHaveText("parking.py");

  await page.getByRole("link", { name: "Newer ›" }).click();
  await expect(page).toHaveURL(`/records/${newer.id}`);
  await expect(report.getByRole("link", { name: "Open full page" })).toBeHidden();
  await heading.click();
  await expect(frame.getByRole("heading", { level: 1 })).toHaveText("c0ffee2");
  await page.getByRole("link", { name: "‹ Older" }).click();
  await expect(page).toHaveURL(`/records/${older.id}`);
  await expect(report.getByRole("link", { name: "Open full page" })).toBeHidden();
  await heading.click();
  await expect(frame.getByRole("heading", { level: 1 })).toHaveText("c0ffee1");
  await report.getByRole("link", { name: "Open full page" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("c0ffee1");
});

test("the changes name the file and link to it", async ({ page, server }) => {
  const org = ownOrg("moved");
  await uploadFiles(server, org, "c1");
  const { id } = await uploadFiles(server, org, "c2", [...FILES.slice(0, 2), ["src/billing/tax.py", 40, 100], FILES[3]!]);
  await page.goto(`/records/${id}`);
  const moved = page.getByRole("region", { name: "Why the coverage changed" });
  await expect(moved).toContainText("30 unchanged lines of src/billing/tax.py are no longer run");
  await moved.getByRole("link", { name: "src/billing/tax.py" }).click();
  await expect(page).toHaveURL(`/records/${id}/source?path=src%2Fbilling%2Ftax.py`);
  await expect(page.getByRole("region", { name: "Lines" })).toContainText("60 missed");
});

test("a framed report on its own origin runs there and has storage", async ({ page }) => {
  const port = await freePort();
  const reports = `http://reports.localhost:${port}`;
  const dashboard = await startServer({ "--addr": `127.0.0.1:${port}`, "--reports-origin": reports });
  const html = {
    "index.html": `<!doctype html><h1></h1><script>localStorage.setItem("a", "kept"); document.querySelector("h1").textContent = localStorage.getItem("a");</script>`,
  };
  const { id } = await uploadFiles(dashboard, "acme", "c1", FILES, html);
  await page.goto(`${dashboard.url}/records/${id}`);
  await page.locator("#report summary").click();
  await expect(page.frameLocator("iframe").getByRole("heading")).toHaveText("kept");
  expect(page.frames().map((frame) => new URL(frame.url()).origin)).toContain(reports);
  await page.goto("about:blank");
  await dashboard.stop();
});

for (const width of [1280, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("the page of a record violates no rule of WCAG 2.2 AA and is no wider than the window", async ({ page, server }) => {
      const org = ownOrg("axe");
      await uploadFiles(server, org, "c1");
      const long = `src/${"long".repeat(60)}.py`;
      const { id } = await uploadFiles(server, org, "c2", [...FILES, [long, 1, 30]]);
      const named = await uploadRecord(server, { org_name: org, branch_name: "b".repeat(255), commit_author: "a".repeat(255), commit_hash: "c".repeat(64) });
      for (const address of [`/records/${id}`, `/records/${id}?as=flat`, `/records/${id}?file=nothing`, `/records/${named.id}`]) {
        await page.goto(address);
        await hydrated(page);
        expect.soft(await sidewaysScroll(page), `${address} is wider than ${width} px`).toBeLessThanOrEqual(0);
        expect.soft(await violations(page), address).toEqual([]);
      }
    });
  });
}

// The report of a period: from the overview in three clicks, on two printed sheets.
import { violations } from "../fixtures/axe";
import { ownOrg } from "../fixtures/data";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import { textsOfSheets } from "../fixtures/pdf";
import { expect, test } from "../fixtures/test";
import { upload } from "../fixtures/upload";

test("the report of an org with 30 owners and 40 repositories has two sheets at most", async ({ page, server }) => {
  test.setTimeout(120_000);
  const org = ownOrg("report");
  const names = Array.from({ length: 40 }, (_, n) => ({ org_name: org, repo_name: `repository-${n}` }));
  const silent = Array.from({ length: 12 }, (_, n) => ({ org_name: org, repo_name: `silent-${n}`, days: 40, lines_covered: 50 }));
  await server.importHistory(silent);
  const owners = Array.from({ length: 30 }, (_, n) => `/f${n}/ @${org}/team-with-a-name-${n}\n`).join("");
  // At first, half of each file runs. Then ten owners gain and ten lose, half of the repositories gain and half lose.
  const lcov = (runs: (file: number, line: number) => boolean) =>
    Array.from({ length: 30 }, (_, file) => {
      const lines = [1, 2, 3, 4].map((line) => `DA:${line},${runs(file, line) ? 1 : 0}\n`).join("");
      return `SF:f${file}/a.c\n${lines}end_of_record\n`;
    }).join("");
  for (const [n, name] of names.entries())
    for (const [commit, runs] of [
      ["c1", (_: number, line: number) => line > 2],
      ["c2", (file: number) => file < (n % 2 ? 10 : 20)],
    ] as const) {
      const parameters = { ...name, branch_name: "main", commit_hash: commit, commit_author: "Kim", language: "python", coverage_xml_file_name: "lcov.info" };
      const fields = { owners, settings: "[gate]\nfloor = 90\n" };
      const { status, body } = await upload(server, parameters, { "lcov.info": lcov(runs) }, fields);
      expect(status, body.detail).toBe(201);
    }
  await page.goto("/");
  await page.goto(`/orgs/${org}`);
  await page.getByRole("main").getByRole("link", { name: "Report" }).click();
  await hydrated(page);
  await expect(page.getByTestId("new-owners").locator("tbody tr")).toHaveCount(10);
  await expect(page.getByTestId("by-owner").locator("tbody tr")).toHaveCount(10);
  await expect(page.getByTestId("silent").locator("li")).toHaveCount(10);
  await expect(page.getByTestId("gates").locator("tbody tr")).toHaveCount(10);
  const sheets = textsOfSheets(await page.pdf({ format: "A4" }));
  expect(sheets.length).toBeLessThanOrEqual(2);
  expect(Math.min(...sheets), "text on the emptiest sheet").toBeGreaterThan(20);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 700, height: 1000 });
  for (const shown of ["summary", "new-owners", "by-owner", "silent", "gates"])
    await expect(page.getByTestId(shown), shown).toBeVisible();
  await expect(page.getByText(/as of \d+ \w+ \d{4}, \d\d:\d\d UTC/), "times on paper are absolute").toBeVisible();
  for (const hidden of [page.locator(".topbar"), page.getByLabel("From"), page.getByRole("navigation", { name: "Period" }), page.locator("#trend-drawing")])
    await expect(hidden).toBeHidden();
  const cut = await page.locator("tbody :is(th, td):visible, .silent li:visible").evaluateAll((cells) =>
    cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
  );
  expect(cut, "no name is cut").toEqual([]);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 720 });
  expect.soft(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Last quarter" }).click();
  await expect(page).toHaveURL(/\/report\?org_name=.*&from=\d{4}-(01|04|07|10)-01&to=/);
  await page.setViewportSize({ width: 360, height: 800 });
  expect.soft(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

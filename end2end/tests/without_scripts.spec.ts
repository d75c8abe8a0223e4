// The main job without scripts: every page arrives complete.
import { ownOrg, uploadRecord, uploadRepositories } from "../fixtures/data";
import { nameFilter, searchBox } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

test.use({ javaScriptEnabled: false });

test("search, repository page, branches and report work without scripts", async ({ page, server }) => {
  const org = ownOrg("plain");
  await uploadRecord(server, { org_name: org }, "75.00");
  await uploadRecord(server, { org_name: org, branch_name: "fix/gate" }, "50.00");
  await uploadRecord(server, { org_name: org, repo_name: "other" }, "50.00");

  await page.goto("/");
  await searchBox(page).fill(`${org}/park`);
  await searchBox(page).press("Enter");
  await expect(page).toHaveURL(`/?keyword=${encodeURIComponent(`${org}/park`)}`);
  await expect(nameFilter(page)).toHaveValue(`${org}/park`);
  await expect(page.getByRole("rowheader")).toHaveText(["parkingpython"]);

  await page.getByRole("link", { name: "parking", exact: true }).click();
  await expect(page.getByTestId("headline")).toContainText("75.00");
  await expect(page.getByRole("img", { name: /^Trend of line coverage\. main · python: 75\.00 % on / })).toBeVisible();

  await page.getByRole("navigation", { name: "Pages of the repository" }).getByRole("link", { name: "Branches" }).click();
  await page.getByRole("link", { name: "fix/gate", exact: true }).click();
  await expect(page).toHaveURL(`/repos/${org}/parking?branch_name=fix%2Fgate`);
  await expect(page.getByTestId("headline")).toContainText("50.00");

  await page.getByRole("link", { name: "HTML report of fix/gate, python" }).click();
  await page.getByRole("link", { name: "parking.py" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("parking.py");
});

test("the overview is paged without scripts", async ({ page, server }) => {
  const org = ownOrg("paged");
  await uploadRepositories(server, org, 51);
  await page.goto(`/?keyword=${org}`);
  await expect(page.getByRole("rowheader")).toHaveCount(50);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("rowheader")).toHaveText(["repo-50python"]);
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(50);
});

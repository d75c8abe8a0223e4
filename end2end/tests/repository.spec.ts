// A repository's page in the browser: its branch is in its address, and no name breaks it.
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, searchBox, sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

test("a branch that is chosen changes address, headline, chart and marked row; Back undoes it", async ({ page, server }) => {
  const org = ownOrg("branches");
  const branch_name = 'fix/ü & "x"#?';
  await uploadRecord(server, { org_name: org }, "75.00");
  await uploadRecord(server, { org_name: org, branch_name }, "50.00");
  const headline = page.getByTestId("headline");
  const legend = page.getByTestId("trend").locator("figcaption bdi");
  const chosen = page.locator("tr[aria-current]").getByRole("rowheader");

  await page.goto(`/repos/${org}/parking`);
  await hydrated(page);
  await expect(headline).toContainText("75.00");
  await expect(legend).toHaveText(["main · python"]);
  const stillTheSame = await sameDocument(page);

  await page.getByRole("link", { name: branch_name, exact: true }).click();
  await expect(headline).toContainText("50.00");
  await expect(page).toHaveURL(`/repos/${org}/parking?branch=${encodeURIComponent(branch_name)}`);
  await expect(legend).toHaveText([`${branch_name} · python`, "main · python"]);
  await expect(page.getByTestId("trend").locator("svg:visible .mark")).toHaveCount(2);
  await expect(chosen).toContainText(branch_name);

  await page.goBack();
  await expect(headline).toContainText("75.00");
  await expect(legend).toHaveText(["main · python"]);
  await expect(chosen).toContainText("main");
  await stillTheSame();
});

test.describe("where nothing was uploaded", () => {
  test.use({ expectedConsole: /status of 404/ });

  test("an unknown repository is Not found with its status, and the page still reacts", async ({ page }) => {
    const response = await page.goto("/repos/no/such");
    expect(response?.status()).toBe(404);
    await expect(page).toHaveTitle("Not found · Coverage");
    await expect(page.getByRole("alert")).toContainText("No coverage of no/such was uploaded here.");
    await hydrated(page);
    const stillTheSame = await sameDocument(page);
    await searchBox(page).fill("no/such");
    await searchBox(page).press("Enter");
    await expect(page.getByRole("alert")).toBeHidden();
    await expect(page.getByRole("status")).toBeVisible();
    await page.goBack();
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await expect(page).toHaveURL("/");
    await stillTheSame();
  });
});

const names = {
  "255 bytes without a break": "b".repeat(255),
  "right to left": `إصلاح/${"واجهة".repeat(20)}`,
  emoji: "👩‍👩‍👧‍👦".repeat(10),
  markup: `</bdi><script>window.ran=1</script><img src=x onerror="window.ran=1">`,
};

for (const [kind, name] of Object.entries(names)) {
  test(`a branch and an author of ${kind} are shown as text and leave the page as wide as it was`, async ({ page, server }) => {
    const org = ownOrg("names");
    await uploadRecord(server, { org_name: org }, "75.00");
    await uploadRecord(server, { org_name: org, branch_name: name, commit_author: name }, "50.00");

    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/repos/${org}/parking`);
      await hydrated(page);
      expect.soft(await sidewaysScroll(page), `wider than ${width} px, among the branches`).toBeLessThanOrEqual(0);
      await page.getByRole("link", { name, exact: true }).click();
      await expect(page.getByTestId("headline")).toContainText("50.00");
      await expect(page.getByTestId("headline").getByText(name, { exact: true })).toHaveCount(2);
      expect.soft(await sidewaysScroll(page), `wider than ${width} px, in headline and chart`).toBeLessThanOrEqual(0);
      await page.reload();
      await hydrated(page);
      expect.soft(await sidewaysScroll(page), `wider than ${width} px, reloaded`).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate(() => "ran" in window), "nothing of it ran").toBe(false);
  });
}

test("the longest organisation and repository leave every page as wide as it was", async ({ page, server }) => {
  const org = `${ownOrg("o")}/${"o".repeat(240)}`;
  const repo = "r".repeat(255);
  const branch_name = "b".repeat(255);
  await uploadRecord(server, { org_name: org, repo_name: repo, branch_name, language: "l".repeat(32) });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/?q=${org}`);
    await hydrated(page);
    expect.soft(await sidewaysScroll(page), `overview wider than ${width} px`).toBeLessThanOrEqual(0);
    await expect(page.getByRole("row", { name: repo }).getByText("l".repeat(32)), "the language has room").toBeInViewport();
    await page.getByRole("link", { name: repo, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(repo);
    expect.soft(await sidewaysScroll(page), `repository wider than ${width} px`).toBeLessThanOrEqual(0);
    await page.goto(`/?q=${"n".repeat(300)}`);
    await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
    expect.soft(await sidewaysScroll(page), `nothing found wider than ${width} px`).toBeLessThanOrEqual(0);
  }
});

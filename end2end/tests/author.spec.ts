// The page of an author: its filters are in the address, and no name breaks its layout.
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

test("an author's records are filtered in place and link to record, repository and HTML", async ({ page, server }) => {
  const org = ownOrg("author");
  const commit_author = `Zoë <${org}>`;
  await uploadRecord(server, { org_name: org, commit_author }, "75.00");
  const other = await uploadRecord(server, { org_name: org, commit_author, repo_name: "other", language: "go" }, "50.00");
  await uploadRecord(server, { org_name: org }, "61.11");

  await page.goto(`/authors/${encodeURIComponent(commit_author)}`);
  await hydrated(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(commit_author);
  await expect(page.locator("tr[data-keys]")).toHaveCount(2);
  const stillTheSame = await sameDocument(page);

  await page.getByRole("combobox", { name: "Language" }).selectOption("go");
  await expect(page.locator("tr[data-keys]")).toHaveCount(1);
  await expect(page).toHaveURL(/[?&]language=go/);
  await expect(page.getByRole("row", { name: "other" }).getByRole("link", { name: "HTML report" })).toHaveAttribute(
    "href",
    `/reports/${other.id}/`,
  );
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page.locator("tr[data-keys]")).toHaveCount(2);
  await page.getByRole("link", { name: `${org}/other`, exact: true }).click();
  await expect(page).toHaveURL(`/repos/${org}/other`);
  await stillTheSame();
});

test("an author's records of several pages are sorted over all of them with one request", async ({ page, server }) => {
  const org = ownOrg("long");
  const commit_author = `Long ${org}`;
  await server.importHistory(
    Array.from({ length: 70 }, (_, n) => ({ org_name: org, repo_name: "parking", commit_author, lines_covered: (n * 37) % 71, days: 70 - n })),
  );
  const address = `/authors/${encodeURIComponent(commit_author)}`;
  await page.goto(address);
  await hydrated(page);
  const records = page.getByRole("table", { name: "Records" });
  const first = records.locator("tbody tr").first().locator(".c-cov");
  const requests: string[] = [];
  page.on("request", (request) => request.resourceType() === "fetch" && !request.url().includes(".wasm") && requests.push(new URL(request.url()).pathname));

  await records.getByRole("button", { name: "Coverage" }).click();
  await expect(first).toContainText("0.00");
  await expect(records.locator("tbody tr")).toHaveCount(50);
  await expect(records.locator("[aria-sort]")).toHaveAttribute("aria-sort", "ascending");
  await expect(page).toHaveURL(`${address}?records=coverage`);
  await expect(page.getByRole("region", { name: "Records" }).getByRole("status").first()).toHaveText("the first 50 by coverage, lowest first");
  await expect(records.getByRole("button", { name: "Coverage" })).toBeFocused();
  await page.keyboard.press(" ");
  await expect(first).toContainText("70.00");
  expect(requests).toEqual([address, address]);

  await page.getByRole("searchbox", { name: "Filter records" }).fill("past1");
  await page.goBack();
  await expect(first).toContainText("0.00");
  await page.goForward();
  await page.reload();
  await hydrated(page);
  await expect(first).toContainText("70.00");
  await records.getByRole("button", { name: "Uploaded" }).click();
  await expect(page, "newest first is the order without a choice").toHaveURL(address);
  await expect(page.getByRole("main").getByRole("navigation", { name: "Pages" }).getByRole("link")).toHaveText(["Older →"]);
});

const names = {
  "255 bytes without a break": "n".repeat(255),
  "right to left": `محمد ${"علي".repeat(20)}`,
  emoji: "👩‍👩‍👧‍👦".repeat(10),
  markup: `</bdi><script>window.ran=1</script>/../%41`,
};

for (const [kind, commit_author] of Object.entries(names)) {
  test(`an author's name of ${kind} is text and does not widen the page`, async ({ page, server }) => {
    await uploadRecord(server, { org_name: ownOrg("names"), commit_author, branch_name: commit_author });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/authors/${encodeURIComponent(commit_author)}`);
      await hydrated(page);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(commit_author);
      expect(await sidewaysScroll(page), `at ${width} px`).toBeLessThanOrEqual(0);
      expect(await page.evaluate(() => "ran" in window)).toBe(false);
    }
  });
}

test.describe("for an unknown author", () => {
  test.use({ expectedConsole: /status of 404/ });

  test("the pages of an unknown author and a misspelt repository link onwards", async ({ page, server }) => {
    const org = ownOrg("alike");
    await uploadRecord(server, { org_name: org });
    expect((await page.goto("/authors/nobody"))?.status()).toBe(404);
    await expect(page.getByRole("alert")).toContainText("No record has the author “nobody”.");
    expect((await page.goto(`/repos/${org}/prakign`))?.status()).toBe(404);
    await page.getByRole("alert").getByRole("link", { name: `${org}/parking` }).click();
    await expect(page).toHaveURL(`/repos/${org}/parking`);
  });
});

// The main job of the service: from a CI upload to the tool's HTML report.
import { chartReady, drawing, marks } from "../fixtures/chart";
import { uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument } from "../fixtures/page";
import { expect, test } from "../fixtures/test";

test("an uploaded report opens from the overview through the page of its repository", async ({
  page,
  ownServer,
}) => {
  await page.goto(ownServer.url);
  await expect(page.getByRole("heading", { name: "Waiting for the first upload" })).toBeVisible();

  await uploadRecord(ownServer, { commit_hash: "c0ffee1", commit_author: "Zoë" }, "75.00");
  await page.reload();
  const row = page.getByTestId("org").getByRole("row", { name: /parking/ });
  await expect(row).toContainText("75.00");
  await hydrated(page);

  const stillTheSame = await sameDocument(page);
  await row.getByRole("link", { name: "parking", exact: true }).click();
  await expect(page).toHaveURL(`${ownServer.url}/repos/acme/parking`);
  await expect(page).toHaveTitle("acme/parking · Coverage");
  await expect(page.getByTestId("headline")).toContainText("12 of 16 lines");
  await expect(drawing(page)).toBeVisible();
  expect(await marks(page)).toHaveLength(1);
  await expect(page.getByTestId("files").getByRole("rowheader").first()).toBeVisible();
  await page.getByRole("navigation", { name: "Pages of the repository" }).getByRole("link", { name: "Branches" }).click();
  const branch = page.getByRole("region", { name: "Branches" }).getByRole("row", { name: /^main/ });
  for (const shown of ["75.00", "c0ffee1", "Zoë"]) await expect(branch).toContainText(shown);
  await stillTheSame();

  await branch.getByRole("link", { name: "HTML report of main, python" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("c0ffee1");
  await expect(heading, "its style sheet is there").toHaveCSS("color", "rgb(1, 2, 3)");
  await page.getByRole("button", { name: "Coverage" }).click();
  await expect(page.locator("tbody tr"), "its script sorts").toContainText(["gate.py", "parking.py", "barrier.py"]);
  await page.getByRole("link", { name: "parking.py" }).click();
  await expect(heading).toHaveText("parking.py");
  await page.getByRole("link", { name: "All files" }).click();
  await expect(heading).toHaveText("c0ffee1");

  for (let back = 0; back < 3; back++) await page.goBack();
  await expect(page).toHaveURL(`${ownServer.url}/repos/acme/parking?tab=branches`);
  await expect(branch).toContainText("75.00");
});

test("the report of an older record still opens after a newer upload", async ({ page, ownServer }) => {
  await uploadRecord(ownServer, { commit_hash: "older" }, "50.00");
  await uploadRecord(ownServer, { commit_hash: "newer" }, "75.00");
  await page.goto(`${ownServer.url}/repos/acme/parking`);
  await expect(page.getByTestId("headline")).toContainText("25.00 since the previous record");

  await chartReady(page);
  const [older, ...newer] = await marks(page);
  expect(newer).toHaveLength(1);
  await page.mouse.click(older!.x, older!.y);
  await expect(page).toHaveURL(/\/records\/1$/);
  await page.locator("#report summary").click();
  await expect(page.frameLocator("iframe").getByRole("heading", { level: 1 })).toHaveText("older");

  await page.goBack();
  await chartReady(page);
  await page.getByText("Show as table").click();
  await page.getByRole("region", { name: "The chart's data" }).getByRole("link", { name: /newer/ }).click();
  await expect(page).toHaveURL(/\/records\/2$/);
  await page.locator("#report summary").click();
  await expect(page.frameLocator("iframe").getByRole("heading", { level: 1 })).toHaveText("newer");
});

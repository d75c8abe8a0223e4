// The setup page: recipes follow the choice, and the page waits for the upload.
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";
import { uploadArchive } from "../fixtures/upload";

test("recipes follow the choice and contain this server's address", async ({ page, server }) => {
  await page.goto("/setup");
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await page.getByRole("combobox", { name: "CI system" }).selectOption("Jenkins");
  await expect(page.locator("pre[aria-label^='the recipe for Jenkins']")).toContainText(`curl -fsS ${server.url}/upload.sh | sh`);
  const recipe = page.locator("pre[aria-label*='curl alone for Jenkins']");
  await expect(recipe).toContainText(`COVERAGE_URL=${server.url}`);
  await page.getByRole("combobox", { name: "Language" }).selectOption("Rust");
  await expect(recipe).toContainText("language=rust");
  await page.getByRole("textbox", { name: "Org" }).fill("zoo");
  await page.getByRole("textbox", { name: "Repository" }).fill("lion");
  await expect(recipe).toContainText("REPO=lion");
  await page.getByRole("link", { name: "cargo-tarpaulin" }).click();
  await expect(page.getByText("cargo tarpaulin --out Html --out Xml")).toBeVisible();
  await expect(page).toHaveURL(/tool=tarpaulin/);
  await stillTheSame();
});

test("the waiting page shows a refused upload with advice, and then an accepted one", async ({ page, server }) => {
  const org = ownOrg("waiting");
  await page.goto(`/setup?org_name=${org}&repo_name=parking&ci=shell&language=python`);
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  await expect(page.getByRole("heading", { name: "Waiting for the first upload" })).toBeVisible();
  await expect(page.getByText(`No upload was accepted from ${org}/parking so far.`)).toBeVisible();

  const parameters = { org_name: org, repo_name: "parking", branch_name: "main", commit_hash: "9be01d2" };
  const all = { ...parameters, commit_author: "Kim", language: "python", coverage_xml_file_name: "coverage.xml" };
  await uploadArchive(server, all, Buffer.from("no archive"));
  await expect(page.getByRole("heading", { name: "An upload was refused" })).toBeVisible();
  await expect(page.getByText("To do: Pack the files")).toBeVisible();

  const record = await uploadRecord(server, { org_name: org });
  await expect(page.getByRole("heading", { name: "The upload has arrived" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Open the record" })).toHaveAttribute("href", `/records/${record.id}`);
  await expect(page.getByText("This page updates itself.")).toBeHidden();
  await stillTheSame();
});

test("an empty dashboard links here, and fills automatically after an upload", async ({ page, ownServer }) => {
  await page.goto(ownServer.url);
  await hydrated(page);
  await expect(page.getByRole("link", { name: "Set up uploads" })).toHaveAttribute("href", "/setup");
  await uploadRecord(ownServer);
  await expect(page.getByRole("heading", { name: "Waiting for the first upload" })).toBeHidden();
  await expect(page.getByRole("link", { name: "parking", exact: true })).toBeVisible();
});

test("all recipes fit on every screen", async ({ page }) => {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/setup");
    await hydrated(page);
    await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
    expect(await sidewaysScroll(page), `at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the form fills in recipes, and a link refreshes the page", async ({ page, server }) => {
    const org = ownOrg("plain-setup");
    await page.goto("/setup");
    await page.getByRole("textbox", { name: "Org" }).fill(org);
    await page.getByRole("textbox", { name: "Repository" }).fill("parking");
    await page.getByRole("combobox", { name: "CI system" }).selectOption("Jenkins");
    await page.getByRole("button", { name: "Fill in" }).click();
    await expect(page.locator("pre[aria-label*='curl alone for Jenkins']")).toContainText(`ORG=${org}`);
    await uploadRecord(server, { org_name: org });
    await page.getByRole("link", { name: "Reload this page" }).click();
    await expect(page.getByRole("heading", { name: "The upload has arrived" })).toBeVisible();
  });
});

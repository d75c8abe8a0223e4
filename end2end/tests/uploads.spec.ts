// The ledger of uploads: refused uploads with reason and advice, and filters in the address.
import { ownOrg, uploadRecord } from "../fixtures/data";
import { hydrated, sameDocument, sidewaysScroll } from "../fixtures/page";
import { expect, test } from "../fixtures/test";
import { uploadArchive } from "../fixtures/upload";
import type { Server } from "../fixtures/server";

/** An upload that is not an archive. */
async function refused(server: Server, org_name: string, branch_name = "main") {
  const parameters = { org_name, repo_name: "parking", branch_name, commit_hash: "9be01d2", commit_author: "Kim" };
  const all = { ...parameters, language: "python", coverage_xml_file_name: "coverage.xml" };
  const { status } = await uploadArchive(server, all, Buffer.from("no archive"));
  expect(status).toBe(415);
}

test("a refused upload is shown with reason and advice, and filters change the address in place", async ({ page, server }) => {
  const org = ownOrg("ledger");
  const record = await uploadRecord(server, { org_name: org });
  await refused(server, org);

  await page.goto("/uploads");
  await hydrated(page);
  const stillTheSame = await sameDocument(page);
  const table = page.getByRole("table");
  await page.getByRole("searchbox", { name: "Repository" }).fill(org);
  await expect(table.getByRole("rowheader")).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`[?&]repo=${org}`));

  await page.getByRole("navigation", { name: "Outcome" }).getByRole("link", { name: "Refused" }).click();
  await expect(table.getByRole("rowheader")).toHaveCount(1);
  await expect(table).toContainText("415 unsupported_media_type");
  await expect(table).toContainText("The form field file is not an archive");
  await expect(table).toContainText("To do: Pack the files");

  await page.getByRole("navigation", { name: "Outcome" }).getByRole("link", { name: "Accepted", exact: true }).click();
  await expect(table.getByRole("link", { name: `Record ${record.id}` })).toHaveAttribute("href", `/records/${record.id}`);
  await page.goBack();
  await expect(table).toContainText("415 unsupported_media_type");
  await stillTheSame();
});

test("names of any length do not widen the ledger", async ({ page, server }) => {
  const org = ownOrg("wide");
  await refused(server, org, "b".repeat(255));
  await refused(server, org, `إصلاح/${"واجهة".repeat(20)}`);
  await refused(server, org, "</bdi><script>window.ran=1</script>");
  for (const width of [1440, 1000, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/uploads?repo=${org}`);
    await hydrated(page);
    await expect(page.getByRole("rowheader")).toHaveCount(3);
    expect(await sidewaysScroll(page), `at ${width} px`).toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
  }
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the ledger is filtered by its form", async ({ page, server }) => {
    const org = ownOrg("plain-ledger");
    await refused(server, org);
    await uploadRecord(server, { org_name: org });
    await page.goto("/uploads");
    await page.getByRole("searchbox", { name: "Repository" }).fill(org);
    await page.getByRole("combobox", { name: "What happened" }).selectOption({ label: "The upload is not an archive" });
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.getByRole("rowheader")).toHaveCount(1);
    await expect(page.getByRole("table")).toContainText("Refused");
  });
});

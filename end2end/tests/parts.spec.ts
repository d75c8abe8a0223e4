// The parts of a record: missing parts, the HTML report of each part, and the deletion of a part.
import { violations } from "../fixtures/axe";
import { hydrated, sidewaysScroll } from "../fixtures/page";
import { report } from "../fixtures/report";
import type { Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";
import { upload, type CoverageRecord } from "../fixtures/upload";

const PARTS = "unit,web,e2e";

/** Uploads a part whose HTML report has its name as the heading. */
async function uploadPart(server: Server, part: string, hits: [unit: number, web: number]): Promise<CoverageRecord> {
  const parameters = {
    org_name: "acme",
    repo_name: "parking",
    branch_name: "main",
    commit_hash: "c1",
    commit_author: "Kim",
    language: "python",
    coverage_xml_file_name: "coverage.xml",
    part,
    parts: PARTS,
  };
  const lines = hits.map((count, index) => `<line number="${index + 1}" hits="${count}"/>`).join("");
  const xml = `<coverage version="7.6"><packages><package><classes><class filename="src/fee.py"><lines>${lines}</lines></class></classes></package></packages></coverage>`;
  const { status, body } = await upload(server, parameters, { ...report(part), "coverage.xml": xml });
  expect([200, 201], body.detail).toContain(status);
  return body.coverage;
}

for (const width of [1280, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("a record names what it waits for, opens the HTML report of each part, and loses a deleted one", async ({ page, ownServer }) => {
      const { id } = await uploadPart(ownServer, "unit", [1, 0]);
      await uploadPart(ownServer, "web", [0, 1]);
      await page.goto(`${ownServer.url}/records/${id}`);
      await hydrated(page);
      await expect(page.getByText("It is not current yet: waiting for e2e.")).toBeVisible();
      const parts = page.getByTestId("parts");
      await expect(parts.getByRole("rowheader")).toHaveText(["unit", "web", "e2e"]);
      await expect(parts.getByRole("row", { name: /unit/ })).toContainText("50.00");
      await expect(page.getByTestId("headline")).toContainText("100.00");
      expect(await violations(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);

      await page.getByRole("link", { name: "HTML report of unit" }).click();
      await expect(page).toHaveURL(/\/reports\/\d+\/@/);
      await expect(page.getByRole("heading", { name: "unit" })).toBeVisible();
      await page.goBack();

      const token = await ownServer.tokenCommand("create", "--name", "ops", "--for", "admin");
      const remove = async (value: string) => {
        await page.getByText("Delete a part").click();
        await page.locator("select[name=part]").selectOption("web");
        await page.getByLabel("Admin token").fill(value);
        await page.getByRole("button", { name: "Delete the part" }).click();
      };
      await remove("cov_wrong");
      await expect(page.getByRole("alert")).toContainText("The part was not deleted: the token was not accepted.");
      await remove(token);
      await expect(page.getByTestId("headline")).toContainText("50.00");
      await expect(page.getByTestId("parts").getByRole("rowheader")).toHaveText(["unit", "e2e"]);
      await expect(page).toHaveURL(`${ownServer.url}/records/${id}#parts`);
    });
  });
}

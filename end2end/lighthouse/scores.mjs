// Prints the scores of pages, and what costs points. Fails if a score is below 100.
//
//   node scores.mjs ADDRESS…        with the browser in CHROME_PATH
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

/** The scores of a page, and the audits that are not perfect. */
async function measure(port, address, config) {
  const { lhr } = await lighthouse(address, { port, onlyCategories: CATEGORIES, logLevel: "error" }, config);
  const scores = CATEGORIES.map((id) => Math.round(lhr.categories[id].score * 100));
  const faults = CATEGORIES.flatMap((id) => lhr.categories[id].auditRefs)
    .filter(({ weight, id }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
    .map(({ id }) => `  ${id}: ${lhr.audits[id].title} ${lhr.audits[id].displayValue ?? ""}`);
  return { scores, faults };
}

// As root, Chromium refuses to start with its sandbox; it opens only the service that this measures.
const chrome = await launch({ chromeFlags: ["--headless=new", "--no-sandbox"] });
let isPerfect = true;
try {
  for (const address of process.argv.slice(2)) {
    for (const [device, config] of [["phone", undefined], ["desktop", desktopConfig]]) {
      const { scores, faults } = await measure(chrome.port, address, config);
      const named = CATEGORIES.map((id, n) => `${id} ${scores[n]}`).join(", ");
      console.log(`lighthouse: ${new URL(address).pathname}, ${device}: ${named}`);
      if (scores.some((score) => score < 100)) {
        isPerfect = false;
        console.log(faults.join("\n"));
      }
    }
  }
} finally {
  await chrome.kill();
}
process.exitCode = isPerfect ? 0 : 1;

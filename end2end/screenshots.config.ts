import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// No tests: pictures for people, taken by scripts/screenshots.sh.
export default defineConfig({
  ...tests,
  testDir: "screenshots",
  testMatch: /.*\.shots\.ts/,
  // Beside the tests', which may be running.
  outputDir: "screenshots-results",
  use: { ...tests.use, trace: "off" },
  fullyParallel: true,
  reporter: [["line"]],
});

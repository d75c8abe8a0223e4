import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Not tests: scripts/screenshots.sh takes pictures for people with it.
export default defineConfig({
  ...tests,
  testDir: "screenshots",
  testMatch: /.*\.shots\.ts/,
  // A separate folder, because tests may run at the same time.
  outputDir: "screenshots-results",
  use: { ...tests.use, trace: "off" },
  fullyParallel: true,
  reporter: [["line"]],
});

import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Not tests: `make bench-gestures` prints times with it. One benchmark at a time, because two would share the processor.
export default defineConfig({
  ...tests,
  testDir: "bench",
  testMatch: /.*\.bench\.ts/,
  outputDir: "bench-results",
  workers: 1,
  use: { ...tests.use, trace: "off" },
});

const { fee } = require("./src/parking");

test("a stay is paid by the hour", () => expect(fee(90)).toBe(300));

const { fee } = require("./parking");
test("an hour and a half costs two hours", () => expect(fee(90)).toBe(300));

/* Facts of wrangler.toml that the local runtime does not act on, but the platform does. */
import { describe, expect, it } from "vitest";
import { unstable_readConfig, type Unstable_Config } from "wrangler";

const config: Unstable_Config = unstable_readConfig({ config: "wrangler.toml" });

describe("the deployed service", () => {
  it("sends no request round the Workers and the security of its own zone", () => {
    expect(config.compatibility_flags).toContain("global_fetch_strictly_public");
  });
});

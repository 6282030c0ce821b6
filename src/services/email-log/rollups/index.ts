export { addOpenHours } from "./add-open-hours.ts";
export { addBuckets, bucketsOf, type Addition } from "./add-to-rollups.ts";

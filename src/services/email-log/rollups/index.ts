export { addBuckets, bucketsOf, type Addition } from "./add-to-rollups.ts";

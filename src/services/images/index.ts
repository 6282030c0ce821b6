export { IMAGE_FILES, imageKey, type ImageRow } from "./image-rows.ts";
export { changeImage, deleteImage, getImage, listImages } from "./manage-images.ts";
export { removeOldImages } from "./remove-images.ts";
export { uploadImage } from "./upload-image.ts";

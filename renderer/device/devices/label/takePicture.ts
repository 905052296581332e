/** The present picture of a camera as a JPEG; nothing while there is none. */
export function takePicture(from: HTMLVideoElement | null, give: (picture: Blob) => void): void {
  if (!from || from.videoWidth === 0) return
  const canvas = document.createElement('canvas')
  canvas.width = from.videoWidth
  canvas.height = from.videoHeight
  canvas.getContext('2d')?.drawImage(from, 0, 0)
  canvas.toBlob((picture) => picture && give(picture), 'image/jpeg', 0.92)
}

import { onBeforeUnmount, onMounted, ref, type Ref } from 'vue'

/** Why there is no picture, or that there is one. */
export type CameraState = 'opening' | 'seeing' | 'denied' | 'missing' | 'busy' | 'failed'

export interface Camera {
  state: Ref<CameraState>
  cameras: Ref<{ id: string; name: string }[]>
  chosen: Ref<string>
  open: () => Promise<void>
}

/** Names of `getUserMedia`'s failures (Media Capture and Streams, section 10.3). */
const failures: Readonly<Record<string, CameraState>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy'
}

const longestSidePx = 960
const shortestPauseMs = 60

/**
 * Shows a camera in `video` and returns each text that two consecutive pictures agree on; null: nothing is read. The
 * camera is on only while the component is mounted.
 */
export function useCamera(
  video: Readonly<Ref<HTMLVideoElement | null>>,
  give: ((text: string) => void) | null
): Camera {
  const state = ref<CameraState>('opening')
  const cameras = ref<{ id: string; name: string }[]>([])
  const chosen = ref('')
  let stream: MediaStream | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Counts openings: work of an earlier one, or of an unmounted component, ends. */
  let opening = 0

  function close(): void {
    opening += 1
    clearTimeout(timer)
    for (const track of stream?.getTracks() ?? []) track.stop()
    stream = undefined
    if (video.value) video.value.srcObject = null
  }

  async function open(): Promise<void> {
    close()
    const own = opening
    state.value = 'opening'
    try {
      // Missing if the page is not served from this computer: browsers allow cameras only on secure pages.
      const devices = navigator.mediaDevices as MediaDevices | undefined
      if (!devices) throw new DOMException('No cameras here.', 'NotFoundError')
      // The camera last: nothing that fails after it may leave it on.
      const codes = give && (await import('./barcodes.ts'))
      const opened = await devices.getUserMedia({ audio: false, video: wanted(chosen.value) })
      if (own !== opening || !video.value) {
        for (const track of opened.getTracks()) track.stop()
        return
      }
      stream = opened
      // Unplugged, or taken away by the system.
      opened.getVideoTracks()[0]?.addEventListener('ended', () => {
        if (own !== opening) return
        close()
        state.value = 'missing'
      })
      video.value.srcObject = opened
      await video.value.play()
      if (own !== opening) return
      state.value = 'seeing'
      chosen.value = opened.getVideoTracks()[0]?.getSettings().deviceId ?? ''
      cameras.value = (await devices.enumerateDevices()).flatMap(({ kind, deviceId, label }) =>
        kind === 'videoinput' && deviceId ? [{ id: deviceId, name: label }] : []
      )
      if (codes) look(own, codes, createAgreement(), document.createElement('canvas'), false)
    } catch (error) {
      if (own !== opening) return
      close()
      state.value = error instanceof DOMException ? (failures[error.name] ?? 'failed') : 'failed'
    }
  }

  /** Reads one picture and plans the next; every second one is turned, for bars that stand upright. */
  function look(
    own: number,
    codes: typeof import('./barcodes.ts'),
    agree: ReturnType<typeof createAgreement>,
    canvas: HTMLCanvasElement,
    isTurned: boolean
  ): void {
    if (own !== opening || !video.value) return
    const startedMs = performance.now()
    const { videoWidth, videoHeight } = video.value
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (context && videoWidth > 0 && videoHeight > 0) {
      const scale = Math.min(1, longestSidePx / Math.max(videoWidth, videoHeight))
      canvas.width = Math.round(videoWidth * scale)
      canvas.height = Math.round(videoHeight * scale)
      context.drawImage(video.value, 0, 0, canvas.width, canvas.height)
      const picture = codes.toGrey(
        context.getImageData(0, 0, canvas.width, canvas.height).data,
        canvas.width,
        canvas.height
      )
      const text = codes.readBarcode(isTurned ? codes.turnPicture(picture) : picture)
      const agreed = text === undefined ? undefined : agree(text)
      // The direction that shows a code is kept for the picture that has to agree.
      isTurned = text === undefined ? !isTurned : isTurned
      if (agreed !== undefined) give?.(agreed)
    }
    // At most half of the time goes into reading: the window has to stay quick.
    const pauseMs = Math.max(shortestPauseMs, performance.now() - startedMs)
    timer = setTimeout(() => look(own, codes, agree, canvas, isTurned), pauseMs)
  }

  onMounted(() => void open())
  onBeforeUnmount(close)
  return { state, cameras, chosen, open }
}

/** The one that was chosen, else the one that looks away from the person. */
function wanted(id: string): MediaTrackConstraints {
  return {
    ...(id ? { deviceId: { exact: id } } : { facingMode: { ideal: 'environment' } }),
    width: { ideal: 1280 },
    height: { ideal: 720 }
  }
}

/**
 * A single picture may be misread: a text counts only if the next picture with a text has the same. It is then returned
 * once, until another text was seen.
 */
export function createAgreement(): (text: string) => string | undefined {
  let last: string | undefined
  let given: string | undefined
  return (text) => {
    const isSecond = text === last
    last = text
    if (!isSecond) {
      if (text !== given) given = undefined
      return undefined
    }
    if (text === given) return undefined
    given = text
    return text
  }
}

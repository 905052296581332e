import { provide, ref, shallowRef, watch, type Ref } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../../base/bridge.ts'
import { photoReader, pictureAddress } from '../run/evidence/photos.ts'

export type OpenedTeamJob = CallOutput<'team.job'>

/** While someone moves through the list, the jobs in between are not loaded. */
const restMs = 150

/** One team job, loaded completely; its pictures are loaded from the team log on demand. */
export function useTeamJob(id: Ref<string | null>) {
  const opened = shallowRef<OpenedTeamJob | null>(null)
  const error = shallowRef<Error | null>(null)
  const busy = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined

  provide(photoReader, async (_jobId, sha256) => {
    const { base64, mediaType } = await call('team.picture', { sha256 })
    return pictureAddress([base64], mediaType)
  })

  async function read(): Promise<void> {
    const wanted = id.value
    if (wanted === null) return
    busy.value = true
    try {
      const answer = await call('team.job', { id: wanted })
      if (id.value !== wanted) return
      opened.value = answer
      error.value = null
    } catch (cause) {
      if (id.value === wanted) error.value = cause instanceof Error ? cause : new Error(String(cause))
    } finally {
      if (id.value === wanted) busy.value = false
    }
  }

  watch(
    id,
    (wanted, before) => {
      clearTimeout(timer)
      opened.value = null
      error.value = null
      if (wanted === null) return
      busy.value = true
      timer = setTimeout(() => void read(), before === undefined ? 0 : restMs)
    },
    { immediate: true }
  )

  return { opened, error, busy, read }
}

import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { MapState, OnlineMap } from '../../../../preload/contract/app/maps.ts'
import { call, subscribe } from '../../bridge.ts'
import { language } from '../../say.ts'
import type { MapBase } from './mapPositions.ts'

type BaseKind = MapBase['kind']

/** The base maps, for every map of this window. */
export const useMaps = defineStore('maps', () => {
  const state = shallowRef<MapState | null>(null)
  /** Chosen on a map while this page is open; otherwise the best available. */
  const wished = ref<BaseKind | null>(null)
  /** Base maps that could not be read, until something changes. */
  const failed = ref<ReadonlySet<BaseKind>>(new Set())
  let isListening = false

  const kinds = computed<BaseKind[]>(() => [
    ...(state.value?.offline && state.value.offline.problem === null ? (['file'] as const) : []),
    ...(state.value?.online.isOn ? (['online'] as const) : []),
    'outline'
  ])
  const kind = computed<BaseKind>(() => {
    // Single pictures may be missing anywhere; a file that fails is missing or damaged as a whole.
    const usable = kinds.value.filter((one) => one !== 'file' || !failed.value.has('file'))
    return usable.find((one) => one === wished.value) ?? usable[0] ?? 'outline'
  })
  const base = computed<MapBase>(() => {
    if (kind.value === 'file')
      return {
        kind: 'file',
        address: addressOf('map/offline.pmtiles'),
        maxZoom: state.value?.offline?.maxZoom ?? 15,
        language: language.value
      }
    if (kind.value === 'online') return { kind: 'online', address: addressOf('map/online/{z}/{x}/{y}'), maxZoom: 19 }
    return { kind: 'outline' }
  })

  async function load(): Promise<void> {
    if (!isListening) {
      isListening = true
      subscribe('maps.changed', () => void refresh())
      subscribe('app.entered', () => void refresh())
    }
    // A USB stick may have been removed since.
    await refresh()
  }

  async function refresh(): Promise<void> {
    take(await call('maps.state', {}))
  }

  function take(next: MapState): void {
    failed.value = new Set()
    // An identical answer must not rebuild the map.
    if (JSON.stringify(next) !== JSON.stringify(state.value)) state.value = next
  }

  function choose(next: BaseKind): void {
    wished.value = next
    failed.value = new Set()
  }

  function fail(broken: BaseKind): void {
    failed.value = new Set([...failed.value, broken])
    // The core reports what is wrong with the file.
    if (broken === 'file')
      void call('maps.state', {})
        .then((next) => (state.value = next))
        .catch(() => undefined)
  }

  return {
    state,
    kinds,
    kind,
    base,
    failed,
    load,
    choose,
    fail,
    pickFile: async () => take(await call('maps.pickFile', {})),
    chooseFile: async (path: string) => take(await call('maps.chooseFile', { path })),
    forgetFile: async () => take(await call('maps.forgetFile', {})),
    setOnline: async (online: OnlineMap) => take(await call('maps.setOnline', online))
  }
})

function addressOf(path: string): string {
  // Braces are not allowed in a URL, so only the beginning of the template is resolved.
  return new URL('.', document.baseURI).href + path
}

import type { Json } from '../../../../preload/contract/define.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

export interface TemplateRow {
  id: string
  version: number
  content: Json
}

export type TemplateStore = ReturnType<typeof createTemplateStore>

/** The customer's checklists, each version as it was saved. */
export function createTemplateStore(data: DataFile) {
  const newest = data.prepare<[], Row>(`${select} order by id`)
  const one = data.prepare<[string], Row>(`${select} and id = ?`)
  const last = data.prepare<[string], { version: number | null }>(
    'select max(version) as version from template where id = ?'
  )
  const add = data.prepare('insert into template (id, version, content, saved_at) values (?, ?, ?, ?)')
  const remove = data.prepare('update template set removed_at = ? where id = ? and removed_at is null')

  return {
    /** The newest version of each available checklist, by id. */
    newest: (): TemplateRow[] => newest.all().map(asTemplate),
    find(id: string): TemplateRow | undefined {
      const row = one.get(id)
      return row && asTemplate(row)
    },
    /** The highest version ever stored under this id; 0 without one. */
    lastVersion: (id: string): number => last.get(id)?.version ?? 0,
    keep: ({ id, version, content, savedAt }: TemplateRow & { savedAt: string }): void =>
      void data.write(() => add.run(id, version, JSON.stringify(content), savedAt)),
    /** It is withdrawn; a later version gets a new number. */
    remove: (id: string, removedAt: string): void => void data.write(() => remove.run(removedAt, id))
  }
}

interface Row {
  id: string
  version: number
  content: string
}

const select = `select id, version, content from template as present
  where version = (select max(version) from template where id = present.id and removed_at is null)`

function asTemplate({ id, version, content }: Row): TemplateRow {
  return { id, version, content: readJson<Json>(content) }
}

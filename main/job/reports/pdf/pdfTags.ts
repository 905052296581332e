import type { Doc } from './pdfMarks.ts'

type Element = ReturnType<Doc['struct']>
export type TagType = 'H1' | 'H2' | 'P' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure' | 'Sect'

/** Containers hold elements and no text of their own. */
const containers: ReadonlySet<TagType> = new Set(['Table', 'TR', 'Sect'])

/** The structure for screen readers: each text is in the document tree, and decoration is left out. */
export function createTags(doc: Doc) {
  const root = doc.struct('Document')
  doc.addStructure(root)
  const open: { type: TagType | 'Document'; element: Element }[] = [{ type: 'Document', element: root }]
  let isArtifact = false

  /** Everything drawn in the meantime belongs to one element. */
  function element(type: TagType, draw: () => void, options: { alt?: string } = {}): void {
    if (isArtifact) return draw()
    const made = doc.struct(type, options)
    open.at(-1)?.element.add(made)
    open.push({ type, element: made })
    draw()
    open.pop()
    made.end()
  }

  /** Draws a piece of text; outside of any element it is a paragraph. */
  function text(draw: () => void): void {
    if (isArtifact) return draw()
    const present = open.at(-1)
    if (!present || present.type === 'Document' || containers.has(present.type)) return element('P', () => text(draw))
    const content = doc.markStructureContent(present.type)
    draw()
    doc.endMarkedContent()
    present.element.add(content)
  }

  return {
    element,
    text,
    artifact(draw: () => void): void {
      if (isArtifact) return draw()
      isArtifact = true
      doc.markContent('Artifact', { type: 'Layout' })
      draw()
      doc.endMarkedContent()
      isArtifact = false
    }
  }
}

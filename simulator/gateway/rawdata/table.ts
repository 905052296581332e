import { misuseCall, type Answer, type Call } from '../call.ts'
import type { JsonRecord } from '../state.ts'

export type ExportFormat = 'json' | 'html' | 'csv' | 'tsv'

const contentTypes: Record<ExportFormat, string> = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8'
}

/** The `export` of a request. */
export function readExport(call: Call, allowed: readonly ExportFormat[]): ExportFormat {
  const text = call.query.get('export') ?? 'json'
  const format = allowed.find((candidate) => candidate === text)
  if (!format) throw misuseCall(call, `export is not one of ${allowed.join(', ')}`)
  return format
}

export function writeTable(rows: JsonRecord[], columns: string[], format: ExportFormat): string {
  if (format === 'json') return JSON.stringify(rows)
  const cells = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))]
  if (format === 'html')
    return `<table>${cells.map((line) => `<tr>${line.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`).join('')}</table>`
  const separator = format === 'csv' ? ',' : '\t'
  return cells.map((line) => line.map((text) => quote(text, separator)).join(separator)).join('\n') + '\n'
}

export function answerText(text: string, format: ExportFormat): Answer {
  return { status: 200, text, contentType: contentTypes[format] }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function quote(text: string, separator: string): string {
  return text.includes(separator) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

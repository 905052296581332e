import { join } from 'node:path'

/**
 * The folder with `resources` and `out`: this file is two folders deep in the sources, and in the built bundle alike.
 */
export const projectFolder = join(import.meta.dirname, '..', '..')

/** What is delivered beside the code: checklists, profiles, endpoints, messages, explanations. */
export const resourcesFolder = join(projectFolder, 'resources')

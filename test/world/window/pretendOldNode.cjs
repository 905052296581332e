// Loaded with `--require`: lets the present Node pass for one that is too old.
'use strict'
Object.defineProperty(process.versions, 'node', { value: '18.19.0' })
Object.defineProperty(process.features, 'typescript', { value: undefined })

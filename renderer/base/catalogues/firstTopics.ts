/**
 * The topics that the frame and the first screen say. Their texts come in a file of their own for each language; all
 * other texts come in a second one, which the first screen does not wait for.
 */
export const firstTopics: readonly string[] = [
  ...[
    'app',
    'assigned',
    'backups',
    'bridge',
    'checklists',
    'common',
    'connections',
    'damage',
    'discovery',
    'gateway',
    'gatewayLine'
  ],
  ...[
    'jobs',
    'keychain',
    'kinds',
    'operations',
    'outputs',
    'store',
    'stories',
    'team',
    'windowApp',
    'windowAssigned',
    'windowBundles'
  ],
  ...[
    'windowCab',
    'windowCoreLost',
    'windowDevices',
    'windowExplain',
    'windowGateway',
    'windowJobs',
    'windowKeys',
    'windowLog'
  ],
  ...[
    'windowOpening',
    'windowOutputs',
    'windowStart',
    'windowTeamHolding',
    'windowTeamScreen',
    'windowTeamSettings',
    'windowTraining',
    'windowTransfers'
  ]
]
/** Texts of the terminal, of tables in files and of the page beside a report are not shown in the page. */
export const topicsElsewhere = /^(terminal\w*|reportTable|sealPage)$/

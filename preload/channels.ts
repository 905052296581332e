/** The two channels between the window and main. They stay inside the shells: the page never learns them. */
export const callChannel = 'fitter:call'
export const eventChannel = 'fitter:event'

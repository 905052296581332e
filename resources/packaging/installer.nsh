!include LogicLib.nsh

; Programs of Windows are named by their full path: one that lies beside the installer must not run with its rights.
!macro fitterPath ACTION
  nsExec::Exec '"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "$$scope = \"$0\"; $$folder = \"$INSTDIR\resources\terminal\"; $$parts = @([Environment]::GetEnvironmentVariable(\"Path\", $$scope) -split \";\" | Where-Object { $$_ -ne \"\" -and $$_ -ne $$folder }); if (\"${ACTION}\" -eq \"add\") { $$parts += $$folder }; [Environment]::SetEnvironmentVariable(\"Path\", ($$parts -join \";\"), $$scope)"'
  Pop $1
!macroend

; The terminal command belongs to the person, or to the computer when Fitter is installed for everybody.
!macro fitterScope
  ${If} $installMode == "all"
    StrCpy $0 "Machine"
  ${Else}
    StrCpy $0 "User"
  ${EndIf}
!macroend

!macro customInstall
  !insertmacro fitterScope
  !insertmacro fitterPath add
  ; Windows asks nobody when a program listens for mDNS on a public network: without this rule devices are not found there.
  ; Only an administrator can set it; without it the system check tells the person what to do.
  ${If} $installMode == "all"
    nsExec::Exec '"$SYSDIR\netsh.exe" advfirewall firewall add rule name="Fitter" dir=in action=allow program="$INSTDIR\Fitter.exe" enable=yes profile=private,domain,public protocol=UDP localport=5353'
    Pop $1
  ${EndIf}
!macroend

!macro customUnInstall
  !insertmacro fitterScope
  !insertmacro fitterPath remove
  ${If} $installMode == "all"
    nsExec::Exec '"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Fitter"'
    Pop $1
  ${EndIf}
!macroend

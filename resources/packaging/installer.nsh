; By its full path: a netsh that lies beside the installer must not run with its rights.
; Windows asks nobody when a program listens for mDNS in a yard's network: without this rule devices stay unseen.
!macro customInstall
  nsExec::Exec '"$SYSDIR\netsh.exe" advfirewall firewall add rule name="Fitter" dir=in action=allow program="$INSTDIR\Fitter.exe" enable=yes profile=private,domain,public protocol=UDP localport=5353'
!macroend
!macro customUnInstall
  nsExec::Exec '"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Fitter"'
!macroend

@echo off
rem The terminal command of an installed Fitter. A command file waits for a program with windows, so the exit code is kept.
"%~dp0..\..\Fitter.exe" --terminal -- %*
exit /b %ERRORLEVEL%

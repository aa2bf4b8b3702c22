package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// What a container has unless it is told otherwise, as containerd and Docker have it.
var defaultCapabilities = []int{
	unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FSETID, unix.CAP_FOWNER, unix.CAP_MKNOD, unix.CAP_NET_RAW,
	unix.CAP_SETGID, unix.CAP_SETUID, unix.CAP_SETFCAP, unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE,
	unix.CAP_SYS_CHROOT, unix.CAP_KILL, unix.CAP_AUDIT_WRITE,
}

// become turns this process, the first of new namespaces, into the container's program. It only returns with an error.
func become(spec *spec) error {
	// Until the user changes, which takes this back.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Sethostname([]byte(spec.Hostname)); err != nil {
		return fmt.Errorf("hostname %q: %w", spec.Hostname, err)
	}
	if err := makeRoot(spec); err != nil {
		return err
	}
	env := environment(spec)
	if err := takeUser(spec); err != nil {
		return err
	}
	if err := unix.Chdir(spec.WorkingDir); err != nil {
		return fmt.Errorf("working directory %s: %w", spec.WorkingDir, err)
	}
	file, err := lookPath(spec.Command[0], env, spec.WorkingDir)
	if err != nil {
		return err
	}
	if err := dieWithRunner(); err != nil {
		return err
	}
	unix.Umask(0o022)
	err = syscall.Exec(file, spec.Command, env)
	return fmt.Errorf("exec: %q: %w", spec.Command[0], err)
}

func takeUser(spec *spec) error {
	if err := limitCapabilities(spec); err != nil {
		return err
	}
	if !spec.TakeUser {
		return nil
	}
	if err := syscall.Setgroups(spec.Groups); err != nil {
		return fmt.Errorf("groups %v: %w", spec.Groups, err)
	}
	if err := syscall.Setresgid(spec.GID, spec.GID, spec.GID); err != nil {
		return fmt.Errorf("group %d: %w", spec.GID, err)
	}
	if err := syscall.Setresuid(spec.UID, spec.UID, spec.UID); err != nil {
		return fmt.Errorf("user %d: %w", spec.UID, err)
	}
	return nil
}

// limitCapabilities says what programs executed by this thread can have at most.
func limitCapabilities(spec *spec) error {
	kept := map[int]bool{}
	if !spec.DropCapabilities {
		for _, capability := range defaultCapabilities {
			kept[capability] = true
		}
	}
	for capability := 0; capability <= unix.CAP_LAST_CAP; capability++ {
		if kept[capability] {
			continue
		}
		err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(capability), 0, 0, 0)
		// An older kernel does not know the last ones.
		if err != nil && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("capability %d: %w", capability, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("ambient capabilities: %w", err)
	}
	if spec.NoNewPrivileges {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("no_new_privs: %w", err)
		}
	}
	return nil
}

// dieWithRunner has this process killed when its parent goes. The parent's number cannot be seen from here; whether it
// has gone already is seen from the pipe to it.
func dieWithRunner() error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	pipe := []unix.PollFd{{Fd: int32(channel.Fd()), Events: unix.POLLOUT}}
	if _, err := unix.Poll(pipe, 0); err != nil {
		return err
	}
	if pipe[0].Revents&unix.POLLERR != 0 {
		return errors.New("the runner has gone")
	}
	return nil
}

// environment is the given one, with what no container is without.
func environment(spec *spec) []string {
	env := spec.Env
	if _, given := variable(env, "PATH"); !given {
		env = append(env, "PATH="+defaultPath)
	}
	if _, given := variable(env, "HOME"); !given {
		env = append(env, "HOME="+home(spec.UID))
	}
	return env
}

func variable(env []string, name string) (string, bool) {
	for _, entry := range env {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value, true
		}
	}
	return "", false
}

func home(uid int) string {
	text, _ := os.ReadFile("/etc/passwd")
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ":")
		if len(fields) == 7 && fields[2] == fmt.Sprint(uid) {
			return fields[5]
		}
	}
	return "/"
}

func lookPath(program string, env []string, folder string) (string, error) {
	if strings.Contains(program, "/") {
		file := program
		if !filepath.IsAbs(file) {
			file = filepath.Join(folder, file)
		}
		if _, err := os.Stat(file); err != nil {
			return "", fmt.Errorf("exec: %q: %w", program, err)
		}
		return file, nil
	}
	path, _ := variable(env, "PATH")
	for _, folder := range filepath.SplitList(path) {
		file := filepath.Join(folder, program)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("exec: %q: executable file not found in $PATH", program)
}

// Command container makes and enters the containers of the test node, without any daemon:
//
//	container run SPEC                        starts one, tells its pid, waits for its end and tells that
//	container exec SPEC PID SECONDS COMMAND…  runs a command in a running one
//
// What it has to tell goes to file descriptor 3, a JSON object a line.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// told is a line for the owner.
type told struct {
	PID      int    `json:"pid,omitempty"`
	Error    string `json:"error,omitempty"`
	ExitCode *int   `json:"exitCode,omitempty"`
	Signal   int    `json:"signal,omitempty"`
	TimedOut bool   `json:"timedOut,omitempty"`
}

var channel = os.NewFile(3, "channel")

func init() {
	// Namespaces and credentials belong to threads.
	runtime.LockOSThread()
}

func main() {
	// No program in a container gets what this process has open, nor what its owner left open.
	if err := unix.CloseRange(3, ^uint(0)>>32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		tell(told{Error: "close_range: " + err.Error()})
		os.Exit(1)
	}
	if err := work(os.Args[1:]); err != nil {
		tell(told{Error: err.Error()})
		os.Exit(1)
	}
}

func work(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: container run SPEC | container exec SPEC PID SECONDS COMMAND…")
	}
	spec, err := readSpec(args[1])
	if err != nil {
		return err
	}
	switch {
	case args[0] == "run" && len(args) == 2:
		return run(spec, args[1])
	case args[0] == "init" && len(args) == 2:
		err := become(spec)
		// The runner reads this as text until the end of the file.
		_, _ = io.WriteString(channel, err.Error())
		os.Exit(1)
	case args[0] == "exec" && len(args) >= 5:
		return enter(spec, args[2], args[3], args[4:])
	}
	return fmt.Errorf("not a command: %q", args)
}

// run starts the container's process 1 as a child and tells what becomes of it.
func run(spec *spec, file string) error {
	if err := dieWithOwner(spec.Owner); err != nil {
		return err
	}
	if spec.NetworkNamespace != "" {
		if err := setns(spec.NetworkNamespace, unix.CLONE_NEWNET); err != nil {
			return err
		}
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"container", "init", file}, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2, writer.Fd()},
		Sys: &syscall.SysProcAttr{
			Cloneflags: unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC,
		},
	})
	if err != nil {
		return fmt.Errorf("no new namespaces: %w", err)
	}
	writer.Close()
	// The end comes when the program has been executed, or has failed to be.
	failure, err := io.ReadAll(reader)
	if err != nil {
		return err
	}
	reader.Close()
	if len(failure) > 0 {
		_, _ = wait(pid)
		return errors.New(string(failure))
	}
	tell(told{PID: pid})
	status, err := wait(pid)
	if err != nil {
		return err
	}
	tell(ended(status))
	return nil
}

// enter runs a command in a container as the container's own program runs.
func enter(spec *spec, target, seconds string, command []string) error {
	limit, err := strconv.ParseFloat(seconds, 64)
	if err != nil {
		return err
	}
	if err := dieWithOwner(spec.Owner); err != nil {
		return err
	}
	// A thread that shares its root with others may not enter a mount namespace.
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return err
	}
	handle, err := unix.PidfdOpen(atoi(target), 0)
	if err != nil {
		return fmt.Errorf("process %s: %w", target, err)
	}
	const all = unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWPID | unix.CLONE_NEWNS
	if err := unix.Setns(handle, all); err != nil {
		return fmt.Errorf("namespaces of process %s: %w", target, err)
	}
	env := environment(spec)
	file, err := lookPath(command[0], env, spec.WorkingDir)
	if err != nil {
		return err
	}
	if err := limitCapabilities(spec); err != nil {
		return err
	}
	attr := &syscall.SysProcAttr{Setsid: true}
	if spec.TakeUser {
		attr.Credential = &syscall.Credential{Uid: uint32(spec.UID), Gid: uint32(spec.GID), Groups: unsigned(spec.Groups)}
	}
	// Both outputs go the same way, which keeps their order.
	pid, err := syscall.ForkExec(file, command, &syscall.ProcAttr{
		Dir: spec.WorkingDir, Env: env, Files: []uintptr{0, 1, 1}, Sys: attr,
	})
	if err != nil {
		return fmt.Errorf("exec: %q: %w", command[0], err)
	}
	timer := time.AfterFunc(time.Duration(limit*float64(time.Second)), func() {
		tell(told{TimedOut: true})
		// It is not waited for yet, so the number is still its own.
		_ = unix.Kill(pid, unix.SIGKILL)
	})
	status, err := wait(pid)
	timer.Stop()
	if err != nil {
		return err
	}
	tell(ended(status))
	return nil
}

// dieWithOwner has this process killed when its parent goes, however it goes.
func dieWithOwner(owner int) error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	if parent := os.Getppid(); parent != owner {
		return fmt.Errorf("started by process %d, but belongs to %d", parent, owner)
	}
	return nil
}

func setns(file string, kind int) error {
	handle, err := unix.Open(file, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		err = unix.Setns(handle, kind)
		_ = unix.Close(handle)
	}
	if err != nil {
		return fmt.Errorf("namespace %s: %w", file, err)
	}
	return nil
}

func wait(pid int) (unix.WaitStatus, error) {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(pid, &status, 0, nil)
		if !errors.Is(err, unix.EINTR) {
			return status, err
		}
	}
}

func ended(status unix.WaitStatus) told {
	code := status.ExitStatus()
	if !status.Signaled() {
		return told{ExitCode: &code}
	}
	code = 128 + int(status.Signal())
	return told{ExitCode: &code, Signal: int(status.Signal())}
}

func tell(line told) {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = channel.Write(append(text, '\n'))
	}
	if err != nil {
		os.Exit(1)
	}
}

func atoi(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return number
}

func unsigned(groups []int) []uint32 {
	result := make([]uint32, len(groups))
	for index, group := range groups {
		result[index] = uint32(group)
	}
	return result
}

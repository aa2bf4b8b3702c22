package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// tree is a copy of mounts that hangs nowhere yet.
type tree struct {
	handle int
	folder bool
	path   string
}

var devices = []string{"null", "zero", "full", "random", "urandom"}

// makeRoot makes the container's root out of the image and gives the process nothing else to see. The image's files are
// the lower part of an overlay, so that mount points can be made without a change to them.
func makeRoot(spec *spec) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mounts made private: %w", err)
	}
	trees, err := openTrees(spec)
	if err != nil {
		return err
	}
	merged, err := overlay(spec)
	if err != nil {
		return err
	}
	old, err := pivot(merged)
	if err != nil {
		return err
	}
	// From here on paths are the container's.
	if err := mountSystem(); err != nil {
		return err
	}
	for _, tree := range trees {
		if err := tree.attach(); err != nil {
			return err
		}
	}
	for path, text := range spec.Files {
		if err := write(path, text); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(spec.WorkingDir, 0o755); err != nil {
		return err
	}
	if spec.ReadOnlyRoot {
		if err := unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("read-only root: %w", err)
		}
	}
	return leave(old)
}

// openTrees takes hold of what is to be bound while the machine's paths can still be seen.
func openTrees(spec *spec) ([]tree, error) {
	var trees []tree
	add := func(mount mount, attributes uint64) error {
		made, err := openTree(mount, attributes)
		if err == nil {
			trees = append(trees, made)
		}
		return err
	}
	for _, name := range devices {
		if err := add(mount{Source: "/dev/" + name, Path: "/dev/" + name}, unix.MOUNT_ATTR_NOSUID); err != nil {
			return nil, err
		}
	}
	for _, folder := range spec.Host {
		err := add(mount{Source: folder, Path: folder, ReadOnly: true}, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
		if err != nil {
			return nil, err
		}
	}
	// What lies higher comes first, whatever the order in the pod: /data before /data/cache.
	mounts := slices.Clone(spec.Mounts)
	depth := func(mount mount) int { return strings.Count(filepath.Clean(mount.Path), "/") }
	slices.SortStableFunc(mounts, func(a, b mount) int { return depth(a) - depth(b) })
	for _, mount := range mounts {
		if err := add(mount, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV); err != nil {
			return nil, err
		}
	}
	return trees, nil
}

func openTree(mount mount, attributes uint64) (tree, error) {
	fail := func(err error) (tree, error) {
		return tree{}, fmt.Errorf("mount of %s at %s: %w", filepath.Join(mount.Source, mount.SubPath), mount.Path, err)
	}
	source, err := unix.Open(mount.Source, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fail(err)
	}
	defer unix.Close(source)
	if mount.SubPath != "" {
		inner, err := openSubPath(source, mount.SubPath)
		if err != nil {
			return fail(err)
		}
		defer unix.Close(inner)
		source = inner
	}
	var stat unix.Stat_t
	if err := unix.Fstat(source, &stat); err != nil {
		return fail(err)
	}
	const flags = unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC | unix.AT_EMPTY_PATH | unix.AT_RECURSIVE
	handle, err := unix.OpenTree(source, "", flags)
	if err != nil {
		return fail(err)
	}
	if mount.ReadOnly {
		attributes |= unix.MOUNT_ATTR_RDONLY
	}
	set := &unix.MountAttr{Attr_set: attributes, Propagation: unix.MS_PRIVATE}
	if err := unix.MountSetattr(handle, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, set); err != nil {
		return fail(err)
	}
	return tree{handle: handle, folder: stat.Mode&unix.S_IFMT == unix.S_IFDIR, path: mount.Path}, nil
}

// openSubPath opens a path inside a volume, which no symbolic link leads out of, and makes it a folder where it is missing.
func openSubPath(volume int, path string) (int, error) {
	open := func(path string) (int, error) {
		how := &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS}
		return unix.Openat2(volume, path, how)
	}
	parts := strings.Split(filepath.Clean(path), "/")
	for index := range parts {
		handle, err := open(filepath.Join(parts[:index+1]...))
		if errors.Is(err, unix.ENOENT) {
			parent, err := open(filepath.Join(append([]string{"."}, parts[:index]...)...))
			if err != nil {
				return -1, err
			}
			err = unix.Mkdirat(parent, parts[index], 0o755)
			unix.Close(parent)
			if err != nil && !errors.Is(err, unix.EEXIST) {
				return -1, err
			}
		} else if errors.Is(err, unix.EXDEV) {
			return -1, errors.New("the subPath leads out of the volume")
		} else if err != nil {
			return -1, err
		} else {
			unix.Close(handle)
		}
	}
	return open(path)
}

func (tree tree) attach() error {
	if tree.folder {
		if err := os.MkdirAll(tree.path, 0o755); err != nil {
			return err
		}
	} else if err := touch(tree.path); err != nil {
		return err
	}
	const flags = unix.MOVE_MOUNT_F_EMPTY_PATH | unix.MOVE_MOUNT_T_SYMLINKS
	if err := unix.MoveMount(tree.handle, "", unix.AT_FDCWD, tree.path, flags); err != nil {
		return fmt.Errorf("mount at %s: %w", tree.path, err)
	}
	return unix.Close(tree.handle)
}

func overlay(spec *spec) (string, error) {
	if err := unix.Mount("tmpfs", spec.Stage, "tmpfs", 0, "mode=0755"); err != nil {
		return "", fmt.Errorf("tmpfs on %s: %w", spec.Stage, err)
	}
	path := func(name string) string { return filepath.Join(spec.Stage, name) }
	for _, name := range []string{"upper", "work", "merged"} {
		if err := os.Mkdir(path(name), 0o755); err != nil {
			return "", err
		}
	}
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`, `,`, `\,`).Replace
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", escape(spec.Root), escape(path("upper")), escape(path("work")))
	if err := unix.Mount("overlay", path("merged"), "overlay", 0, options); err != nil {
		return "", fmt.Errorf("overlay of %s (the kernel needs overlayfs, in a user namespace since 5.11): %w", spec.Root, err)
	}
	return path("merged"), nil
}

// pivot makes a folder the root and gives a handle of the old one, which lies on top of it.
func pivot(folder string) (int, error) {
	old, err := unix.Open("/", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	if err := unix.Chdir(folder); err != nil {
		return -1, err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return -1, fmt.Errorf("pivot_root to %s: %w", folder, err)
	}
	return old, nil
}

func leave(old int) error {
	if err := unix.Fchdir(old); err != nil {
		return err
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("old root: %w", err)
	}
	if err := unix.Close(old); err != nil {
		return err
	}
	return unix.Chdir("/")
}

// mountSystem mounts what every container has: /proc and /dev. There is no /sys.
func mountSystem() error {
	const safe = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	for _, system := range []struct {
		path, kind, data string
		flags            uintptr
	}{
		{"/proc", "proc", "", safe},
		{"/dev", "tmpfs", "mode=0755,size=65536k", unix.MS_NOSUID},
		{"/dev/shm", "tmpfs", "mode=1777,size=65536k", safe},
	} {
		if err := os.MkdirAll(system.path, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(system.kind, system.path, system.kind, system.flags, system.data); err != nil {
			return fmt.Errorf("%s: %w", system.path, err)
		}
	}
	for name, target := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
	} {
		if err := os.Symlink(target, "/dev/"+name); err != nil {
			return err
		}
	}
	// The settings of the kernel are the machine's, not the container's.
	if err := unix.Mount("/proc/sys", "/proc/sys", "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("/proc/sys: %w", err)
	}
	if err := unix.Mount("", "/proc/sys", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|safe, ""); err != nil {
		return fmt.Errorf("/proc/sys: %w", err)
	}
	return nil
}

func touch(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return file.Close()
}

// write puts a file into the root, unless a volume lies there.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	err := os.Remove(path)
	if errors.Is(err, unix.EBUSY) {
		return nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// A MongoDB-compatible server for machines without mongod: FerretDB 1 over SQLite files. FerretDB 1 updates documents
// without a lock, so that one of two concurrent updates would be lost. The proxy in front of it therefore forwards one
// command at a time, except those with which drivers check that the server is alive.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

var commandLock sync.Mutex

const (
	headerBytes     = 16
	maxMessageBytes = 48_000_000
)

// readMessage reads one message of the wire protocol, which starts with its length.
func readMessage(from io.Reader) ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(head)
	if length < headerBytes || length > maxMessageBytes {
		return nil, fmt.Errorf("a message of %d bytes", length)
	}
	message := make([]byte, length)
	copy(message, head)
	_, err := io.ReadFull(from, message[4:])
	return message, err
}

// OP_MSG, and where its first section has the name of the command: after the header, 4 bytes of flags, the kind of the
// section, the length of the document and the type of its first field.
const (
	opMsg  = 2013
	nameAt = headerBytes + 4 + 1 + 4 + 1
)

// isLivenessCheck tells whether a command reads no data. Drivers wait a few seconds for its reply, which may be less
// than the commands before it take.
func isLivenessCheck(command []byte) bool {
	if len(command) < nameAt || binary.LittleEndian.Uint32(command[12:]) != opMsg || command[headerBytes+4] != 0 {
		return false
	}
	name, _, _ := bytes.Cut(command[nameAt:], []byte{0})
	return string(name) == "hello" || string(name) == "ping"
}

func forward(server net.Conn, command []byte) ([]byte, error) {
	if !isLivenessCheck(command) {
		commandLock.Lock()
		defer commandLock.Unlock()
	}
	if _, err := server.Write(command); err != nil {
		return nil, err
	}
	return readMessage(server)
}

func serve(client net.Conn, socket string) {
	defer client.Close()
	server, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer server.Close()
	for {
		command, err := readMessage(client)
		if err != nil {
			return
		}
		reply, err := forward(server, command)
		if err != nil {
			return
		}
		if _, err := client.Write(reply); err != nil {
			return
		}
	}
}

func main() {
	listen := flag.String("listen", "127.0.0.1:27017", "TCP address")
	data := flag.String("data", "data", "directory of the SQLite files")
	flag.Parse()
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	socket := filepath.Join(*data, "ferretdb.sock")
	_ = os.Remove(socket) // a kill -9 leaves the socket file
	db, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{Unix: socket},
		Handler:   "sqlite",
		SQLiteURL: "file:" + *data + "/",
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(client, socket)
		}
	}()
	if err := db.Run(ctx); err != nil {
		log.Fatal(err)
	}
}

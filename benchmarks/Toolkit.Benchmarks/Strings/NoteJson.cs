using System.Text.Json.Serialization;

namespace Toolkit.Benchmarks.Strings;

/// <summary>System.Text.Json, source generated, for a message of one string.</summary>
[JsonSerializable(typeof(Note))]
internal sealed partial class NoteJson : JsonSerializerContext;
